/// @file
/// Proofs of schedules in which every rank does the same, seen from itself: as round a ring, or in a hypercube.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "schedule/symmetry/rank_symmetry.hpp"
#include "schedule/symmetry/symmetry_matcher.hpp"

namespace tutti::proof {

/// Writes a rank's program.
using ProgramOf = std::function<void(int rank, Program& program)>;

/// Whether the problem has p blocks that ranks can count from their own, and no rank that differs: all-gather, and
/// reduce-scatter and all-reduce with operators that commute, by swing all-reduce alone; by rotation and exchange
/// all-to-all, with p blocks of one length from and for each rank; or no blocks and no rank that differs: barrier, by
/// rotation. The ranks are as many as the turns need.
bool may_be_alike(RankSymmetry::Kind kind, const Problem& problem);

/// Whether the schedule is proved by looking at one rank: `pattern`, what rank 0 does for with_unit_blocks(). True: the
/// programs do what the problem asks, and verify() would prove them too. False says nothing.
///
/// Needs may_be_alike(). Each program is asked for once, in order of rank, and none is kept.
/// Cost: O(operations) in time, for each some tens of nanoseconds; O(operations of one rank) in memory.
bool is_proved_by_one_rank(RankSymmetry::Kind kind, const Problem& problem, const Program& pattern,
                           const ProgramOf& program_of);

/// Whether the proof holds for programs that are the pattern turned because they are made so (symmetric_algorithm.hpp):
/// those of the first and the last rank are compared with it all the same.
bool is_proved_by_making(RankSymmetry::Kind kind, const Problem& problem, const Program& pattern,
                         const ProgramOf& program_of);

/// Brackets around consecutive ranks, counted round the ring: how the first block of a reduction is combined.
struct Bracketing {
  /// By expression: left ∘ right, where the ranks of the right one follow those of the left one. Expression 0 is the
  /// contribution of one rank.
  std::vector<std::pair<int, int>> operands;
  int expression = 0;  ///< expression of the result
  int first = 0;       ///< the rank that its contributions begin with
};

/// Proves by rotation a problem that reduces, and returns its bracketing. Block b, which is rank b's of a
/// reduce-scatter, is combined as the first one, b added to all ranks modulo p; alike on all ranks.
std::optional<Bracketing> bracketing_by_rotation(const Problem& problem, const Program& pattern,
                                                 const ProgramOf& program_of);

}  // namespace tutti::proof
