/// @file
/// Backoff of a waiting rank: spins, then yields, naps and sleeps.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "progress/clock.hpp"
#include "progress/core_contention.hpp"

namespace tutti::runtime {

/// Backoff of a rank that waits for others. The rank first spins: it looks a number of times, which it learns. Then
/// each stage costs the machine less than the one before:
///
///     yields   let other threads run, which may be the one that is waited for
///     naps     end by the clock, and grow with the time already napped, so that a wait ends an eighth late
///     sleep    ends when another rank posts something for this one (Sleep): a long wait costs nothing
///
/// If ranks do not wake one another, naps go on and grow to a millisecond. If another program takes the core with each
/// yield (CoreContention), there are few yields before the rank sleeps, and none if each rank may have a core.
class Backoff {
 public:
  using Duration = std::chrono::microseconds;

  static constexpr int most_spins = 1024;
  static constexpr int fewest_spins = 4;
  static constexpr int most_yields = 1000;

  /// `contention` is that of the waiting thread; `outnumbered`: the core may be wanted by another rank. A wait naps or,
  /// if it is allowed fewer yields than most_yields, sleeps at once after `yields` yields.
  Backoff(CoreContention& contention, Clock& clock, bool outnumbered, int yields = most_yields)
      : contention_(contention),
        clock_(clock),
        outnumbered_(outnumbered),
        yields_allowed_(yields),
        shortest_sleep_(std::min(shortest_sleep_of_few * most_yields / std::max(1, yields), longest_sleep)) {
    reset();
  }

  void reset() {
    yields_ = contention_.is_expected() ? yields_under_contention() : yields_allowed_;
    yielded_ = 0;
    napped_ = Duration(0);
    slept_ = 0;
    next_sleep_ = shortest_sleep_;
  }
  void pause() {
    if (yielded_ < yields_) return yield();
    const Duration nap = std::clamp(napped_ / 8, shortest_nap, longest_nap);
    clock_.nap(nap);
    napped_ += nap;
  }
  /// Pauses while bytes move that this rank's looks keep moving: what an MPI has handed to the system is sent within a
  /// fraction of a millisecond. So the rank yields, or naps as shortly as it can if its core is wanted by others.
  void pause_briefly() {
    if (yielded_ < yields_) return yield();
    if (outnumbered_ || contention_.is_expected()) return clock_.nap(shortest_nap);
    yielded_ = std::max(yields_ - yields_between_thoughts, 0);
    yielded_at_ = clock_.now();  // the rank may have napped or slept since its latest yield
    yield();
  }
  /// Whether the rank should check that its wait can end at all: seldom while it yields, always when it naps.
  bool is_thoughtful() const { return naps() || yielded_ % yields_between_thoughts == yields_between_thoughts - 1; }
  /// Whether the wait has become a long one.
  bool naps() const { return yielded_ >= yields_; }

  /// Whether the wait has become so long that sleeping until another rank wakes this one, which costs both ranks a call
  /// of the system, is cheaper than more naps.
  bool sleeps() const { return yields_ < most_yields ? naps() : napped_ >= naps_before_sleep; }
  /// Whether sleeping is worth its calls of the system also where a sleep lasts no longer than a nap: while others have
  /// the core, and somebody who wakes the rank is likely to come soon.
  bool sleeps_lightly() const { return sleeps() && contention_.is_expected() && slept_ < most_light_sleeps; }
  /// Returns how long a rank may sleep whose wait ends after `timeout`: between two sleeps it looks for ranks that have
  /// died, and for cycles.
  Duration next_sleep(std::chrono::duration<double> timeout) const {
    const auto share =
        std::chrono::duration_cast<Duration>(std::min<std::chrono::duration<double>>(timeout / 8, longest_sleep));
    return std::clamp(next_sleep_, Duration(1), std::max(share, shortest_nap));
  }
  /// Records that a sleep was ended by the clock, and not by another rank: the next one is longer.
  void note_slept() {
    next_sleep_ = std::min(2 * next_sleep_, longest_sleep);
    ++slept_;
  }
  /// Makes the next sleep a short one: a rank that was woken, or has just told others what it waits for, soon has
  /// something to look at.
  void sleep_lightly() { next_sleep_ = shortest_sleep_; }

 private:
  static constexpr int yields_between_thoughts = 64;
  static constexpr Duration shortest_nap{30};
  static constexpr Duration longest_nap{1000};
  static constexpr Duration naps_before_sleep{1000};
  static constexpr int most_light_sleeps = 256;
  static constexpr Duration shortest_sleep_of_few{10'000};
  static constexpr Duration longest_sleep{500'000};

  void yield() {
    // A look between two yields takes nanoseconds, and counts with the second.
    if (yielded_++ == 0) yielded_at_ = clock_.now();
    std::this_thread::yield();
    const Clock::Instant now = clock_.now();
    if (contention_.note_yield(now, now - yielded_at_)) yields_ = yields_under_contention();
    yielded_at_ = now;
  }
  /// None where each rank may have a core: the others have this one for a tick with each yield, and who shares it with
  /// another rank soon leaves (Placement). Some where ranks outnumber cores: with none, sixteen ranks of two cores
  /// sleep, and wake one another, for each message.
  int yields_under_contention() const { return outnumbered_ ? 8 : 0; }

  CoreContention& contention_;
  Clock& clock_;
  bool outnumbered_;
  int yields_allowed_;
  Duration
      shortest_sleep_;  // longer where yields are fewer, because ranks that are many take longer for what is awaited
  Clock::Instant yielded_at_{};
  int yields_ = most_yields;
  int yielded_ = 0;
  Duration napped_{0};
  int slept_ = 0;  // sleeps that the clock has ended
  Duration next_sleep_;
};

}  // namespace tutti::runtime
