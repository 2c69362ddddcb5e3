/// @file
/// Time that something has been waited for, without the time in which the process was stopped.
#pragma once

#include <algorithm>
#include <chrono>

namespace tutti {

/// A clock that is looked at again and again while something is waited for. A process that is stopped (Ctrl-Z, a
/// debugger) cannot look, and finds one long gap afterwards: of a gap, only twice the one before it counts, and
/// `regular_gap` at least. So who looks at any pace of its own counts all of its time, and one stop adds next to
/// nothing.
class WaitingTime {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = Clock::duration;

  static constexpr Duration regular_gap = std::chrono::milliseconds(50);

  explicit WaitingTime(Clock::time_point now = Clock::now()) : looked_(now) {}

  /// The time waited until now.
  Duration look(Clock::time_point now = Clock::now()) {
    const Duration gap = now - looked_;
    waited_ += std::min(gap, std::max(2 * gap_before_, regular_gap));
    gap_before_ = gap;
    looked_ = now;
    return waited_;
  }

 private:
  Clock::time_point looked_;
  Duration gap_before_{0};
  Duration waited_{0};
};

}  // namespace tutti
