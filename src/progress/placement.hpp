/// @file
/// Placement of a rank on a core: moves away from cores that other ranks are on.
#pragma once

#include <sched.h>

#include <chrono>
#include <optional>
#include <span>

#include "transport/interfaces/rank_directory.hpp"

namespace tutti::runtime {

/// The core for rank `rank` to move to: the one of `allowed` with the fewest ranks, the first of them. None if no
/// earlier rank is on its core, or if it would not leave a more crowded core than it finds. `cores` has every rank's
/// core; one that is negative is not known.
std::optional<int> less_crowded_core(std::span<const int> cores, int rank, std::span<const int> allowed);

/// Most ranks whose cores are compared at every wait.
inline constexpr int few_ranks = 16;

/// While it lives, the system runs this thread on no core on which another rank of few was last seen: who wakes a
/// thread has it come to his own core where that looks less busy, and there the two would take turns. Does nothing
/// where this rank shares its core already.
class SleepApart {
 public:
  SleepApart(const RankDirectory& ranks, int rank);
  SleepApart(const SleepApart&) = delete;
  SleepApart& operator=(const SleepApart&) = delete;
  ~SleepApart();

 private:
  bool is_apart_ = false;
  cpu_set_t allowed_;
  cpu_set_t apart_;
};

/// Moves a rank from a core that it shares with an earlier one to an emptier core, if there is any.
///
/// Ranks that wait for one another on one core look to the system's scheduler like ranks that have something to do
/// there: whoever yields goes on a moment later. So it may leave them together for some time, beside an idle core,
/// after other programs have run (docs/decisions/0013). Ranks are not bound to a core; the system may move them again.
class Placement {
 public:
  /// `outnumbered`: this host has more ranks than cores, so that each of them shares its core all the time.
  explicit Placement(bool outnumbered) : every_(outnumbered ? seldom : often), waits_(outnumbered ? 1 : 0) {}

  /// To be called by the rank's own thread whenever it begins to back off.
  void consider(RankDirectory& ranks, int rank) {
    const bool looks = waits_++ % every_ == 0;
    if (looks) look(ranks, rank);
    if (every_ == often && (looks || ranks.size() <= few_ranks)) shares_core_ = is_beside_another(ranks, rank);
  }
  /// Whether another rank was last seen on this one's core. Not known where ranks outnumber cores.
  bool shares_core() const { return shares_core_; }

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

  void look(RankDirectory& ranks, int rank);
  static bool is_beside_another(RankDirectory& ranks, int rank);

  unsigned every_;
  unsigned waits_;
  bool shares_core_ = false;
  std::chrono::microseconds rest_ = shortest_rest;
  Clock::time_point next_{};
};

}  // namespace tutti::runtime
