/// @file
/// Pace of polling: tells a program that waits in calls of MPI_Test and MPI_Iprobe from one that works between them, by
/// the time that its thread takes of its core.
///
/// A loop that polls, and does nothing, yields or sleeps before it polls again, waits. One that works between its polls
/// goes on by itself some time, and may do then what other ranks wait for. A polling call reads the clock as it begins
/// and ends, so that the time inside of MPI is known; the system says what the thread has taken of its core in all.
/// From both, once a second, or on a crowded core once it had its part of one:
///
///     core time between two polls     the program
///     up to 0.5 µs                    does nothing
///     4 µs more                       yields, if a quarter of its core time is the system's
///     50 µs more                      yields to others, if its core went to others as often as it polled
///     150 µs more                     sleeps, if it did so as often
///     more, 20 ms a second at least   works
///
/// sched_yield() takes 0.3 µs and more, usleep() 3 to 70 µs, of which the most was measured on a crowded virtual
/// machine. Where the core goes to others less often than in each gap, as much less is allowed: who is interrupted
/// after each slice of time works all the same. On a crowded core MPI gives the core away within polls: so one gap in
/// seven, and each after a long poll, is measured by itself; the program works where a quarter of these are longer by
/// what measuring takes. Work that is done now and then, in one gap of many, shows in gaps that are long: their core
/// time alone is summed up.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace tutti::interpose {

/// End of a gap between two polls at which the usage is read: nearest to the gap, the clock is.
enum class GapEdge : std::uint8_t { begin, end };

/// Usage of the processor by a thread so far.
struct ThreadUsage {
  std::chrono::nanoseconds core{0};       ///< its time on a core
  std::chrono::nanoseconds in_system{0};  ///< part of it in the system, as its ticks have sampled it
  std::int64_t switches = 0;  ///< number of times that its core has gone to others: it slept, yielded or had to
  std::int64_t sleeps = 0;    ///< switches that it asked for

  static ThreadUsage of_this_thread(GapEdge edge);
};

class PollPace {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  enum class Verdict : std::uint8_t { open, idle, working };
  static constexpr std::chrono::seconds interval{1};

  /// A loop begins with a poll. `usage` tells what the polling thread has taken.
  explicit PollPace(Instant now, std::function<ThreadUsage(GapEdge)> usage = ThreadUsage::of_this_thread);

  /// A poll begins. Returns what the program has done between its polls, once in an interval, which on a crowded core
  /// is longer; in between it is open.
  Verdict begin_poll(Instant now);
  void end_poll(Instant now) {
    const Duration inside = now - poll_began_;
    inside_ += inside;
    poll_ended_ = now;
    if (gaps_ % measured_each != 0 && inside < long_poll) return;
    gap_began_ = mark_ = usage_(GapEdge::begin);
    marked_ = now;
  }
  /// Returns how long the program has been between its latest two polls.
  Duration latest_gap() const { return latest_gap_; }

 private:
  void begin_interval(Instant now, const ThreadUsage& usage);
  void look_at_long_gap(Instant now);
  void add_measured_gap();
  bool has_had_its_time(Instant now, const ThreadUsage& usage) const;
  bool has_worked(const ThreadUsage& usage) const;

  std::function<ThreadUsage(GapEdge)> usage_;
  Instant poll_began_, poll_ended_;
  Duration latest_gap_{0};
  // Since the interval began:
  Instant began_;
  ThreadUsage before_;
  Duration inside_{0};   // polls
  Duration outside_{0};  // between them
  std::int64_t gaps_ = 0;
  Duration long_work_{0};  // on the core, in long gaps
  // One gap in so many is measured by itself: a number that rounds of two to six polls do not divide.
  static constexpr std::int64_t measured_each = 7;
  // A poll of this length costs so much more than measuring that the gap after it is measured, too.
  static constexpr std::chrono::microseconds long_poll{100};
  std::optional<ThreadUsage> gap_began_;  // usage as the gap that is measured began
  std::int64_t measured_gaps_ = 0;
  std::int64_t working_gaps_ = 0;  // measured ones that are longer than nothing
  std::int64_t longer_gaps_ = 0;   // measured ones that are longer than a yield
  // When the usage was read last, and what it was.
  Instant marked_;
  ThreadUsage mark_;
};

}  // namespace tutti::interpose
