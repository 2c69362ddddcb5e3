/// @file
/// Programs of others on a rank's core.
#pragma once

#include <algorithm>
#include <chrono>

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
  /// A yield has lasted for so long. Says whether competition is why.
  bool note_yield(Clock::Duration lasted) {
    if (lasted >= long_yield) {
      expected_ = most_short_yields;
      return true;
    }
    expected_ = std::max(expected_ - 1, 0);
    return false;
  }
  /// Whether yields are expected to last for so long.
  bool is_expected() const { return expected_ > 0; }

 private:
  static constexpr Clock::Duration long_yield = std::chrono::milliseconds(2);
  /// After so many short yields in a row the competition is over, or was none: ranks of this run had long messages to
  /// move. With a time slice forgone by each, somebody who computes has had his turn by then.
  static constexpr int most_short_yields = 256;

  int expected_ = 0;  // short yields from now on until competition is over
};

}  // namespace tutti::runtime
