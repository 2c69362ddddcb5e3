/// @file
/// Core contention: whether another program wants a rank's core, and the time slice that the system gives each.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "progress/clock.hpp"

namespace tutti::runtime {

/// Contention for a rank's core with programs other than the run's, as far as the rank can tell: by yields that last
/// long. If each rank may have a core for itself, the system's count of the times that it has taken the core from the
/// thread tells as much, and no yield is spent on it.
///
/// Ranks that wait hand their core to one another in a microsecond. A yield that lasts for milliseconds has given it to
/// a thread that computes for as long as the system lets it, 3 to 4 ms as a rule; and the next yield does so again,
/// because a thread that yields forgoes the rest of its time slice. A rank that sleeps until another one wakes it runs
/// before that thread at once, because its time slice is shorter (docs/decisions/0032).
class CoreContention {
 public:
  /// `outnumbered`: ranks outnumber cores, and take them from one another. `ignores_yields`: however long they last, none
  /// of them tells of contention.
  explicit CoreContention(bool outnumbered, bool ignores_yields = false)
      : outnumbered_(outnumbered), ignores_yields_(ignores_yields) {}

  /// Whether look() has something to learn now.
  bool wants_look(Clock::Instant now) const { return !outnumbered_ && now >= next_look_; }
  /// The system has taken the core from this thread so many times, in all.
  void look(Clock::Instant now, std::int64_t taken) {
    if (taken != taken_) until_ = now + remembered;
    taken_ = taken;
    next_look_ = now + between_looks;
  }
  /// To be called when a wait begins: what is expected holds for all of it.
  void begin_wait(Clock::Instant now) { is_beside_others_ = now < until_; }

  /// A yield that has ended now has lasted for so long. Says whether contention is why.
  bool note_yield(Clock::Instant now, Clock::Duration lasted) {
    if (ignores_yields_) return false;
    if (lasted < long_yield) {
      short_yields_left_ = std::max(short_yields_left_ - 1, 0);
      return false;
    }
    if (outnumbered_) {
      short_yields_left_ = most_short_yields;
    } else {
      until_ = now + remembered;
      is_beside_others_ = true;
    }
    return true;
  }
  /// Whether yields are expected to last for so long.
  bool is_expected() const { return is_beside_others_ || short_yields_left_ > 0; }

 private:
  static constexpr Clock::Duration long_yield = std::chrono::milliseconds(2);
  /// After so many short yields in a row the contention is over, or was none: ranks of this run had long messages to
  /// move. With a time slice forgone by each, somebody who computes has had his turn by then.
  static constexpr int most_short_yields = 256;
  /// A look asks the system, which takes a fraction of a microsecond.
  static constexpr Clock::Duration between_looks = std::chrono::milliseconds(1);
  /// Time for which a competitor is remembered: it takes the core at each tick of the system, 1 to 10 ms, as soon as
  /// the rank has had its share of it.
  static constexpr Clock::Duration remembered = std::chrono::milliseconds(50);

  bool outnumbered_;
  bool ignores_yields_;
  int short_yields_left_ = 0;  // from now on until contention is over, where ranks outnumber cores
  bool is_beside_others_ = false;
  std::int64_t taken_ = 0;
  Clock::Instant until_ = Clock::Instant::min();
  Clock::Instant next_look_ = Clock::Instant::min();
};

/// Returns how often the system has taken the core from the calling thread to give it to another one.
std::int64_t involuntary_switches();

/// The shortest slice that Linux grants a thread of the usual policy.
inline constexpr std::chrono::microseconds shortest_slice{100};

/// Returns the time slice of the calling thread; nothing where the system does not tell it: Linux before 6.12, and
/// threads that are not scheduled by the usual policy.
std::optional<std::chrono::nanoseconds> time_slice();

/// Gives the calling thread the shortest time slice, once and for all; does nothing where the system has no slices to
/// set, or the slice is as short already. Threads and processes that the thread makes afterwards have it, too.
///
/// A thread that yields a core gives up the rest of its slice. While another program is on that core, ranks that wait
/// for one another by yields give up a slice each, and the other program has the core until it has had as much: a tick
/// of the system, 4 ms, for each look of a rank. With slices of 0.1 ms a rank gives up 0.1 ms (docs/decisions/0032).
/// Its share of the core stays.
void shorten_time_slice();

}  // namespace tutti::runtime
