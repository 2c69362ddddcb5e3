/// @file
/// Which core a rank runs on, as far as that is worth a thought.
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "transport/world.hpp"

namespace tutti::runtime {

/// The core for rank `rank` to move to: the one of `allowed` with the fewest ranks, the first of them. None if no
/// earlier rank is on its core, or if it would not leave a more crowded core than it finds. `cores` has every rank's
/// core; one that is negative is not known.
std::optional<int> less_crowded_core(std::span<const int> cores, int rank, std::span<const int> allowed);

/// Moves a rank from a core that it shares with an earlier one to an emptier core, if there is any.
///
/// Ranks that wait for one another on one core look to the system's scheduler like ranks that have something to do
/// there: whoever yields goes on a moment later. So it may leave them together for some time, beside an idle core,
/// after other programs have run (docs/decisions/0013). Ranks are not bound to a core; the system may move them again.
class Placement {
 public:
  /// To be called by the rank's own thread whenever it begins to back off.
  void consider(World& world, int rank) {
    if (waits_++ % every == 0) look(world, rank);
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Waits from look to look.
  static constexpr unsigned every = 64;
  /// From move to move, so that one who is moved back by the system does not spend its time on the way.
  static constexpr std::chrono::milliseconds rest{10};

  void look(World& world, int rank);

  unsigned waits_ = 0;
  Clock::time_point next_{};
};

}  // namespace tutti::runtime
