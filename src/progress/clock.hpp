/// @file
/// Clock: tells the time to ranks that wait, and lets them nap. Tests turn it by hand.
#pragma once

#include <chrono>
#include <thread>

namespace tutti::runtime {

/// The machine's steady clock. Tests have one that they turn.
class Clock {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual Instant now() { return std::chrono::steady_clock::now(); }
  /// Returns after that time.
  virtual void nap(Duration time) { std::this_thread::sleep_for(time); }

  static Clock& of_this_machine() {
    static Clock clock;
    return clock;
  }
};

}  // namespace tutti::runtime
