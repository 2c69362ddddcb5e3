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
  /// `outnumbered`: this host has more ranks than cores, so that each of them shares its core all the time.
  explicit Placement(bool outnumbered) : every_(outnumbered ? seldom : often) {}

  /// To be called by the rank's own thread whenever it begins to back off.
  void consider(World& world, int rank) {
    if (waits_++ % every_ == 0) look(world, rank);
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Waits from look to look. Where each rank may have a core, one that backs off at all has waited for longer than a
  /// look takes; and in a row of short calls one wait may stand for as many calls as there are call slots.
  static constexpr unsigned often = 8;
  static constexpr unsigned seldom = 64;
  /// From move to move, so that one who is moved back by the system does not spend its time on the way: twice as long
  /// after each move that comes soon after the one before. The system moves a rank back when another one wakes it, as
  /// at the beginning of a run, and seldom again.
  static constexpr std::chrono::microseconds shortest_rest{300};
  static constexpr std::chrono::microseconds longest_rest{10'000};

  void look(World& world, int rank);

  unsigned every_;
  unsigned waits_ = 0;
  std::chrono::microseconds rest_ = shortest_rest;
  Clock::time_point next_{};
};

}  // namespace tutti::runtime
