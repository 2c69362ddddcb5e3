/// @file
/// Post-condition of a collective: what it owes to each rank.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "verify/execution.hpp"
#include "verify/expressions.hpp"
#include "verify/failure.hpp"

namespace tutti::proof {

/// Output elements [first, first + count) hold the contributions of exactly `ranks`, taken from position `offset` on of
/// their inputs. Moving data is the case of one contribution.
struct Due {
  std::int64_t first = 0;
  std::int64_t count = 0;
  RankRange ranks;
  std::int64_t offset = 0;
};

/// Sees something that is due to a rank; returns whether it wants to see more.
using SeeDue = std::function<bool(int rank, const Due& due)>;

/// Calls `see` for everything that the problem asks for, rank by rank, in order of position, as long as it wants more;
/// what lies in the output already and must stay there is due as well, and what has no elements is not. Not for
/// barrier. Cost: O(what is due), and O(p²) where blocks differ and some have no elements, and for all-to-all with
/// per-rank counts.
void for_each_due(const Problem& problem, const SeeDue& see);

/// Whether the run ended with what the problem asks for, with nothing written where nothing is due, and with the same
/// bits on all ranks of an all-reduce.
std::optional<ProofFailure> check_outcome(const Schedule& schedule, const Execution& execution,
                                          const Expressions& expressions);

}  // namespace tutti::proof
