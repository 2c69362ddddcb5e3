/// @file
/// Programs of others on a rank's core.
#pragma once

#include <algorithm>

#include "progress/clock.hpp"

namespace tutti::runtime {

/// Whether a program of somebody else's wants the core of a rank, as far as the rank's yields tell.
///
/// Ranks that wait hand their core to one another in a microsecond. A yield that lasts for milliseconds has given it to
/// somebody who computes for as long as the system lets him, which is 3 to 4 ms as a rule; and the next yield does so
/// again, because who yields forgoes what is left of his time slice. A rank that sleeps until another one wakes it is
/// put before him at once, because its time slice is shorter than his (time_slice.hpp, docs/decisions/0032).
class Competition {
 public:
  /// A yield has lasted for so long, until `now`. Says whether competition is why.
  bool note_yield(Clock::Duration lasted, Clock::Instant now) {
    if (lasted < long_yield) return false;
    span_ = now < until_ + span_ ? std::min(2 * span_, longest_span) : shortest_span;
    until_ = now + span_;
    return is_expected_ = true;
  }
  /// Whether yields are expected to last for so long.
  bool is_expected(Clock& clock) {
    if (is_expected_ && clock.now() >= until_) is_expected_ = false;
    return is_expected_;
  }

 private:
  static constexpr Clock::Duration long_yield = std::chrono::milliseconds(2);
  /// For how long competition is expected to go on: for twice as long each time that it is found again soon.
  static constexpr Clock::Duration shortest_span = std::chrono::milliseconds(50);
  static constexpr Clock::Duration longest_span = std::chrono::seconds(1);

  bool is_expected_ = false;
  Clock::Duration span_ = shortest_span;
  Clock::Instant until_{};
};

}  // namespace tutti::runtime
