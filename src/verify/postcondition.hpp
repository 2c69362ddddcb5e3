/// @file
/// What a collective owes to each rank.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "verify/execution.hpp"
#include "verify/expressions.hpp"
#include "verify/verify.hpp"

namespace tutti::proof {

/// Output elements [first, first + count) hold the contributions of exactly `ranks`, taken from position `offset` on of
/// their inputs. Moving data is the case of one contribution.
struct Due {
  std::int64_t first = 0;
  std::int64_t count = 0;
  RankRange ranks;
  std::int64_t offset = 0;
};

/// Calls `see(rank, due)` for everything that the problem asks for, rank by rank, in order of position; what lies in
/// the output already and must stay there is due as well. Not for barrier. Cost: O(what is due), and O(p²) for
/// all-to-all with per-rank counts.
void for_each_due(const Problem& problem, const std::function<void(int rank, const Due& due)>& see);

/// Whether the run ended with what the problem asks for, with nothing written where nothing is due, and with the same
/// bits on all ranks of an all-reduce.
std::optional<Failure> check_outcome(const Schedule& schedule, const Execution& execution,
                                     const Expressions& expressions);

}  // namespace tutti::proof
