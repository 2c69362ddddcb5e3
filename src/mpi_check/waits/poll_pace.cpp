#include "mpi_check/waits/poll_pace.hpp"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <utility>

namespace tutti::interpose {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds longest_of_nothing(500);
constexpr microseconds longest_of_yield(4);
constexpr microseconds longest_of_switch(50);
/// Measured 70 µs, of usleep() on a crowded virtual machine.
constexpr microseconds longest_of_sleep(150);
/// Reading the clock at both ends of a gap, with nothing of it in the caches after others had the core: measured 1.5 to
/// 2.7 µs, of a crowded virtual machine; others are slower. Work of a gap that is shorter is not told from none there.
constexpr microseconds longest_of_measuring(8);
/// Share of the measured gaps that has to show work: the system's own work falls into some, and a program may poll for
/// up to four things between its work.
constexpr std::int64_t share_of_work = 4;
/// One gap that is longer than a call of the system takes, and the least work that counts of it.
constexpr microseconds long_gap(200);
/// Work of an interval that does not count: what the system does meanwhile is put down to the thread as well.
constexpr nanoseconds least_work = std::chrono::nanoseconds(PollPace::interval) / 50;
/// On a crowded core an interval lasts until the thread has had so much of it: a thousand polls that give the core away
/// may take more than a second, and work is done behind them. But no longer than this.
constexpr milliseconds least_core(100);
constexpr std::chrono::seconds longest_interval(5);

/// Returns what so many times without the core may cost, some of which are sleeps.
nanoseconds longest_of(std::int64_t switches, std::int64_t sleeps) {
  return longest_of_sleep * sleeps + longest_of_switch * std::max<std::int64_t>(switches - sleeps, 0);
}

/// Returns what the times without the core may cost in a gap between these: of several the dearest counts.
nanoseconds longest_of_gap(const ThreadUsage& before, const ThreadUsage& after) {
  const bool slept = after.sleeps > before.sleeps;
  return longest_of(after.switches > before.switches ? 1 : 0, slept ? 1 : 0);
}

nanoseconds time_of(const timeval& time) { return std::chrono::seconds(time.tv_sec) + microseconds(time.tv_usec); }

}  // namespace

ThreadUsage ThreadUsage::of_this_thread(GapEdge edge) {
  rusage usage = {};
  timespec core = {};
  if (edge == GapEdge::begin) getrusage(RUSAGE_THREAD, &usage);
  // The clock counts up to now; the times of the usage end with the latest tick, and many gaps lie between two ticks.
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &core);
  if (edge == GapEdge::end) getrusage(RUSAGE_THREAD, &usage);
  return {std::chrono::seconds(core.tv_sec) + nanoseconds(core.tv_nsec), time_of(usage.ru_stime),
          usage.ru_nvcsw + usage.ru_nivcsw, usage.ru_nvcsw};
}

PollPace::PollPace(Instant now, std::function<ThreadUsage(GapEdge)> usage)
    : usage_(std::move(usage)), poll_began_(now), poll_ended_(now) {
  begin_interval(now, usage_(GapEdge::begin));
}

void PollPace::begin_interval(Instant now, const ThreadUsage& usage) {
  began_ = marked_ = now;
  before_ = mark_ = usage;
  inside_ = outside_ = long_work_ = Duration::zero();
  gaps_ = measured_gaps_ = working_gaps_ = longer_gaps_ = 0;
  gap_began_.reset();
}

PollPace::Verdict PollPace::begin_poll(Instant now) {
  add_measured_gap();
  latest_gap_ = now - poll_ended_;
  poll_began_ = now;
  outside_ += latest_gap_;
  ++gaps_;
  if (latest_gap_ >= long_gap) look_at_long_gap(now);
  if (now - began_ < interval) return Verdict::open;
  const ThreadUsage usage = usage_(GapEdge::end);
  if (!has_had_its_time(now, usage)) return Verdict::open;
  const bool works = has_worked(usage);
  begin_interval(now, usage);
  return works ? Verdict::working : Verdict::idle;
}

void PollPace::add_measured_gap() {
  if (!gap_began_) return;
  const ThreadUsage usage = usage_(GapEdge::end);
  const nanoseconds core = usage.core - gap_began_->core - longest_of_gap(*gap_began_, usage);
  if (core > longest_of_nothing + longest_of_measuring) ++working_gaps_;
  if (core > longest_of_nothing + longest_of_yield + longest_of_measuring) ++longer_gaps_;
  ++measured_gaps_;
  gap_began_.reset();
}

// Whatever the thread had of its core before the gap, it had no more of it than the time that passed.
void PollPace::look_at_long_gap(Instant now) {
  const ThreadUsage usage = usage_(GapEdge::end);
  const nanoseconds of_gap = usage.core - mark_.core - (poll_ended_ - marked_);
  const nanoseconds work = of_gap - longest_of_gap(mark_, usage);
  // Sleeps whose ends cost more than most are none, though there may be thousands.
  if (work >= long_gap) long_work_ += work;
  marked_ = now;
  mark_ = usage;
}

// A thread that is off its core for the most part because it sleeps has all the time that it asks for.
bool PollPace::has_had_its_time(Instant now, const ThreadUsage& usage) const {
  const bool sleeps = (usage.sleeps - before_.sleeps) * 2 >= usage.switches - before_.switches;
  return sleeps || usage.core - before_.core >= least_core || now - began_ >= longest_interval;
}

// Other threads of a shared core take as much of its time in polls as between them.
bool PollPace::has_worked(const ThreadUsage& usage) const {
  const nanoseconds core = usage.core - before_.core;
  if (long_work_ > std::max<Duration>(least_work, core / 20)) return true;
  const double share_outside = static_cast<double>(outside_.count()) /
                               static_cast<double>(std::max<Duration::rep>((outside_ + inside_).count(), 1));
  const auto shared = nanoseconds(static_cast<nanoseconds::rep>(static_cast<double>(core.count()) * share_outside));
  const nanoseconds works = std::max(core - inside_, shared);
  const nanoseconds in_system = usage.in_system - before_.in_system;
  const bool yields = in_system * 4 >= core;
  const nanoseconds each = longest_of_nothing + (yields ? longest_of_yield : nanoseconds::zero());
  if (measured_gaps_ > 0 && (yields ? longer_gaps_ : working_gaps_) * share_of_work >= measured_gaps_) return true;
  const std::int64_t switches = std::min(usage.switches - before_.switches, gaps_);
  const std::int64_t sleeps = std::min(usage.sleeps - before_.sleeps, gaps_);
  return works > std::max(least_work, each * gaps_ + longest_of(switches, sleeps));
}

}  // namespace tutti::interpose
