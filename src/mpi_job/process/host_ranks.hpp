/// @file
/// Ranks of a job on this host, and how a rank waits for them.
#pragma once

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

#include "progress/clock.hpp"
#include "transport/interfaces/world.hpp"
#include "transport/late_after.hpp"

namespace tutti::interpose {

/// Remedy for a wait that was too long: a program of MPI knows of no option.
inline constexpr std::string_view longer_wait_of_mpi = "TUTTI_TIMEOUT allows more";

/// Ranks of this host, as a rank that waits for others sees them.
struct HostRanks {
  static constexpr std::chrono::seconds longest_unsearched{10};

  static constexpr int other_host = -2;  ///< place of a rank that is not among them

  runtime::World* world = nullptr;  ///< world of these ranks alone
  std::vector<int> ranks;           ///< their numbers in the job, ascending
  int place = 0;                    ///< this rank's, here and in the world
  runtime::Clock* clock = nullptr;
  std::chrono::duration<double> timeout{};  ///< limit of a wait for ranks that may come
  /// Whether this rank may tell now what it waits for; null: always. It may not where another thread of its program
  /// could go on meanwhile.
  bool (*may_tell)() = nullptr;
  std::chrono::duration<double> late_after = runtime::no_limit;  ///< when a wait says that it lasts

  /// From when on a wait is looked at for whether it can end: late enough that what MPI carries has come.
  std::chrono::duration<double> searches_after() const {
    return std::min({timeout, late_after, std::chrono::duration<double>(longest_unsearched)});
  }

  /// Returns the place of that rank of the job among them; Message::other_host if it is not there.
  int place_of(int rank) const;
};

}  // namespace tutti::interpose
