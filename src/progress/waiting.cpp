// Waiting of the engine: looks, yields, naps, sleep; and its findings meanwhile.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/system/interruption.hpp"
#include "base/system/processor.hpp"
#include "base/system/tell_user.hpp"
#include "progress/announcement.hpp"
#include "progress/backoff.hpp"
#include "progress/communicator_state.hpp"
#include "progress/core_contention.hpp"
#include "progress/progress_engine.hpp"
#include "progress/sleep.hpp"
#include "progress/timeout_report.hpp"

namespace tutti::runtime {
namespace {

/// Returns a rank's wait in words: "rank 1 to send 4 float", "one of 3: …".
std::string waits_for(std::span<Operation* const> awaited) {
  if (awaited.size() == 1) return awaited.front()->waits_for();
  return fmt::format("one of {} operations, the first of them for {}", awaited.size(), awaited.front()->waits_for());
}

/// A rank that has waited for so long tells the others what it waits for.
constexpr std::chrono::milliseconds long_wait(100);

/// Yields of a rank's first wait, if ranks are many: the others are still starting, and need the core.
constexpr int yields_at_start = 4;

/// A wait that lasts asks the process's interruption so often.
constexpr std::chrono::milliseconds interruption_interval(50);

/// A wait of a rank that other threads may want sleeps no longer at a time.
constexpr std::chrono::milliseconds longest_sleep_if_wanted(10);

}  // namespace

// A rank first looks again and again without reading the clock, because a peer on another core is usually about to post
// what it waits for. A peer on this core is not: it runs when this rank lets it.
bool ProgressEngine::wait(Operation& operation, const std::atomic<int>* wanted) {
  if (!is_at_home()) origin_.require_this_process("wait() for " + operation.describe());
  const Recorder::Blocking blocking(rank_.recorder.get());
  for (int spin = 0; spin < spins_; ++spin) {
    const Guard lock = guard();
    if (!operation.active()) {
      operation.rethrow();
      return true;
    }
    if (progress()) {
      spin = 0;
    } else {
      relax();
    }
  }
  const AwaitedOperations one{&operation};
  if (!wait_patiently({&one, 1}, wanted)) return false;
  operation.rethrow();
  return true;
}

std::size_t ProgressEngine::wait_any(std::span<const AwaitedOperations> awaited) {
  if (!is_at_home()) origin_.require_this_process("wait_any()");
  const Recorder::Blocking blocking(rank_.recorder.get());
  {
    const Guard lock = guard();
    progress();
  }
  return wait_patiently(awaited).value();
}

/// One wait in which looks grow rarer.
struct ProgressEngine::PatientWait {
  PatientWait(RankState& rank, CoreContention& contention, bool outnumbered, int yields, Clock::Duration between,
              LateMoments moments, std::size_t n)
      : backoff(contention, rank.clock, outnumbered, yields),
        announcement(*rank.world, *rank.world, rank.number, rank.clock),
        idle(rank.clock.now()),
        late(moments),
        next_interruption(rank.clock.now() + interruption_interval),
        between_rounds(between),
        next_round(rank.clock.now() + between),
        several(n > 1 ? n : 0) {}

  /// The awaited operations that are still active. A single one costs no allocation, because short collectives come
  /// here too where ranks outnumber cores.
  std::span<Operation*> active() { return several.empty() ? std::span(&one, 1) : std::span(several); }

  /// Whether it is time to look at all ranks again; that takes as much longer as they are more.
  bool takes_round(Clock& clock) {
    if (between_rounds == Clock::Duration::zero()) return true;
    const Clock::Instant now = clock.now();
    if (now < next_round) return false;
    next_round = now + between_rounds;
    return true;
  }

  Backoff backoff;
  Announcement announcement;
  std::optional<bool> may_tell;  // once the wait is a long one
  WaitingTime idle;
  LateMoments late;
  Clock::Instant next_interruption;
  Clock::Duration between_rounds;
  Clock::Instant next_round;
  std::uint64_t moves = 0;
  std::uint64_t arrivals = 0;
  bool may_be_wanted = false;
  Operation* one = nullptr;
  std::vector<Operation*> several;
};

std::optional<std::size_t> ProgressEngine::wait_patiently(std::span<const AwaitedOperations> awaited,
                                                          const std::atomic<int>* wanted) {
  shorten_time_slice();
  placement_.consider(world(), rank_.number);
  if (!outnumbered_) spins_ = placement_.shares_core() ? Backoff::fewest_spins : Backoff::most_spins;
  const Clock::Instant now = rank_.clock.now();
  if (contention_.wants_look(now)) contention_.look(now, involuntary_switches());
  contention_.begin_wait(now);
  const int yields = yields_ < Backoff::most_yields && !std::exchange(has_waited_, true) ? yields_at_start : yields_;
  PatientWait state(rank_, contention_, outnumbered_, yields, between_rounds_, LateMoments(rank_.late_after),
                    awaited.size());
  if (wanted != nullptr) resume(state, *awaited.front().operation);
  for (;;) {
    bool moved = false;
    bool carries = false;
    const std::uint32_t losses = world().losses();
    {
      const Guard lock = guard();
      if (const auto done = find_done(awaited, state.active())) {
        state.announcement.withdraw();
        return *done;
      }
      moved = look_patiently(state);
      carries = world().is_carrying();
    }
    // A wait that ends at once has made progress, too: on a core that ranks share, nobody else may.
    if (wanted != nullptr && wanted->load(std::memory_order_relaxed) != 0) break;
    if (!moved && carries) {
      state.backoff.pause_briefly();
    } else if (!moved && pass_time(state, losses)) {
      state.announcement.withdraw();
      moved = true;
    }
    if (moved) state.backoff.reset();
  }
  state.announcement.withdraw();
  suspend(state, *awaited.front().operation);
  return std::nullopt;
}

/// A wait that others may break off goes on with the time of the one before, so that a rank whose threads take turns
/// comes to its timeout, and to tell what it waits for.
void ProgressEngine::resume(PatientWait& state, Operation& operation) {
  state.may_be_wanted = true;
  const Guard lock = guard();
  if (!operation.idle || !operation.active()) return;
  note_idle(operation);
  state.moves = operation.moves();
  state.arrivals = operation.arrivals();
  state.idle = *operation.idle;
  state.late = *operation.late;
}

void ProgressEngine::suspend(const PatientWait& state, Operation& operation) {
  const Guard lock = guard();
  if (!operation.active()) return;
  if (operation.idle) operation.late = state.late;
  inspect_idle(operation);
}

/// The first that is done; if there is none, `active` has what each of them waits for.
std::optional<std::size_t> ProgressEngine::find_done(std::span<const AwaitedOperations> awaited,
                                                     std::span<Operation*> active) {
  for (std::size_t k = 0; k < awaited.size(); ++k) {
    active[k] = awaited[k].active();
    if (active[k] == nullptr) return k;
  }
  return std::nullopt;
}

/// Makes progress, and says whether anything moved. A rank that has waited for long tells the others what it waits for,
/// and checks whether its wait can end.
bool ProgressEngine::look_patiently(PatientWait& state) {
  const std::uint64_t moment = world().moment();
  const bool moved = progress();
  if (moved) state.announcement.withdraw();
  const std::span<Operation* const> active = state.active();
  std::uint64_t moves = 0;
  bool all_go_on = true;
  for (const Operation* each : active) {
    moves += each->moves();
    all_go_on = all_go_on && each->active();
  }
  const bool is_thoughtful = state.backoff.is_thoughtful() || state.announcement.is_made();
  const bool looks_round = all_go_on && is_thoughtful && state.takes_round(rank_.clock);
  const std::uint64_t arrivals = looks_round ? active.front()->arrivals() : state.arrivals;
  if (moves != state.moves || arrivals != state.arrivals) {
    state.moves = moves;
    state.arrivals = arrivals;
    state.idle = WaitingTime(rank_.clock.now());
    state.late = LateMoments(rank_.late_after);
  } else if (looks_round) {
    look_round(state, active, moment);
  }
  return moved;
}

/// Looks round for a rank that waits in vain.
void ProgressEngine::look_round(PatientWait& state, std::span<Operation* const> active, std::uint64_t moment) {
  const Clock::Instant now = rank_.clock.now();
  const WaitingTime::Duration waited = state.idle.look(now);
  if (now >= state.next_interruption) {
    state.next_interruption = now + interruption_interval;
    if (const std::string why = reason_to_interrupt(); !why.empty()) return fail(why);
  }
  inspect(*active.front(), waited);
  const bool is_long = waited > long_wait && active.front()->active();
  if (is_long && !state.may_tell) state.may_tell = may_tell_wait_state_ == nullptr || may_tell_wait_state_();
  if (is_long && *state.may_tell && stand(active, state.announcement, moment)) state.backoff.sleep_lightly();
  // By then the others have told whether they wait, too.
  if (is_long && active.front()->active() && state.late.take(waited)) tell_lasting(active, waited, state.late.gap());
}

// Neither a progress thread, if a rank has one, nor the rank's own thread sleeps: both nap by the clock.
bool ProgressEngine::pass_time(PatientWait& state, std::uint32_t losses) {
  const std::span<Operation* const> awaited = state.active();
  Backoff& backoff = state.backoff;
  const bool sleeps = world().sleeps_for_long() ? backoff.sleeps() : backoff.sleeps_lightly();
  if (!sleeps || has_thread_) {
    backoff.pause();
    return false;
  }
  Sleep sleep(world(), rank_.number, active_);
  if (!sleep.is_prepared()) {
    backoff.pause();
    return false;
  }
  // This looks for what others have posted before they could know that this rank is about to sleep.
  if (progress()) return true;
  const bool all_go_on =
      std::all_of(awaited.begin(), awaited.end(), [](const Operation* each) { return each->active(); });
  if (!all_go_on || world().losses() != losses) return false;
  std::optional<SleepApart> apart;
  if (!outnumbered_ && contention_.is_expected()) apart.emplace(world(), rank_.number);
  auto longest = backoff.next_sleep(std::min(awaited.front()->communicator().timeout, rank_.late_after));
  if (state.may_be_wanted) longest = std::min<decltype(longest)>(longest, longest_sleep_if_wanted);
  if (sleep.until_woken(longest)) {
    backoff.sleep_lightly();
  } else {
    backoff.note_slept();
  }
  return false;
}

// The wait state is told anew whenever it differs from the one that was told last, also where the progress thread has
// changed it. Its needs are read after the look that began at `moment`, so that they leave out all that other ranks had
// done before they told their wait states.
bool ProgressEngine::stand(std::span<Operation* const> awaited, Announcement& announcement, std::uint64_t moment) {
  const WaitState now = wait_state(awaited);
  Operation& operation = *awaited.front();
  const std::string text = waits_for(awaited);
  if (!announcement.holds(text, now, changes_)) {
    for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
      if (!communicator->failure().failed()) communicator->agreement().tell_all();
    }
    announcement.make(text, now, changes_);
    return true;
  }
  const bool do_ranks_move_all = world().transport() != Transport::mpi && tell_also_ == nullptr;
  const std::string cycle =
      announcement.look(moment, do_ranks_move_all ? Announcement::Movers::ranks : Announcement::Movers::others);
  if (cycle.empty()) return false;
  Failure& failure = operation.communicator().failure();
  const auto error = operation.explain();
  failure.fail(error ? error->code() : ErrorCode::timeout, error ? error->what() : cycle);
  return false;
}

bool ProgressEngine::test(Operation& operation) {
  if (!is_at_home()) origin_.require_this_process("test() for " + operation.describe());
  const Guard lock = guard();
  progress();
  if (operation.active()) inspect_idle(operation);
  operation.rethrow();
  return !operation.active();
}

}  // namespace tutti::runtime
