/// @file
/// How a rank passes the time while it waits.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace tutti::runtime {

/// After a number of looks that the rank learns: lets other threads run, then sleeps in naps that grow with the time
/// already waited, so that a wait ends at most an eighth later than it could, and a rank that waits long costs nothing.
/// No rank has to wake another: who sends does not have to know who sleeps.
class Backoff {
 public:
  static constexpr int most_spins = 512;
  static constexpr int fewest_spins = 4;

  void reset() {
    yielded_ = 0;
    napped_ = Duration(0);
  }
  void pause() {
    if (yielded_ < yields) {
      ++yielded_;
      std::this_thread::yield();
      return;
    }
    const Duration nap = std::clamp(napped_ / 8, shortest_nap, longest_nap);
    std::this_thread::sleep_for(nap);
    napped_ += nap;
  }
  /// Whether it is time to look whether waiting makes sense at all: seldom while yielding, always when napping.
  bool is_thoughtful() const { return naps() || yielded_ % 64 == 63; }
  /// Whether the wait has become a long one.
  bool naps() const { return yielded_ == yields; }

 private:
  using Duration = std::chrono::microseconds;
  static constexpr int yields = 1000;
  static constexpr Duration shortest_nap{30};
  static constexpr Duration longest_nap{1000};

  int yielded_ = 0;
  Duration napped_{0};
};

}  // namespace tutti::runtime
