/// @file
/// Problem: the question that an algorithm answers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "tutti/collective.hpp"

namespace tutti {

/// All collectives, in the order in which they are listed everywhere.
std::span<const Collective> all_collectives();
/// The name on the command line: "all-reduce".
std::string_view name_of(Collective collective);
std::optional<Collective> collective_named(std::string_view name);

/// Whether the collective has a root rank.
bool has_root(Collective collective);
/// Whether the collective combines contributions with an operator.
bool reduces(Collective collective);
/// Whether per-rank counts make sense: the data consists of one block a rank (or a pair of ranks).
bool has_blocks(Collective collective);
/// The collective whose messages go the other way: reduce for broadcast, gather for scatter, reduce-scatter for
/// all-gather, and each of those for these; nothing for the others.
std::optional<Collective> dual_of(Collective collective);
/// Whether input and output may be one buffer: they have the same shape on every rank.
bool allows_in_place(Collective collective);

/// One collective operation, the same on every rank: what is asked, and nothing of how it is answered. Two calls that
/// ask the same are equal.
///
/// `count` follows the collective's own convention (the textbook's m): the whole message for broadcast, reduce,
/// all-reduce and the scans; one rank's block for the others. `counts` replaces it where ranks differ: p entries, the
/// block of each rank; for all-to-all p·p entries, row by row, [origin * p + destination]. Barrier moves no data and
/// ignores both.
///
/// A call whose ranks do not all know all counts is a problem of its own on each of them, and the only one in which ranks
/// differ: `known_to` is the rank. Algorithms whose `own_blocks_suffice` are recorded from it for that rank.
/// - All-to-all by ranks that know their own counts alone: `counts` has 2p entries, what the rank sends to each rank and
///   then what it gets from each.
/// - Gather and scatter by counts of the root: `counts` has p entries, elsewhere than at the root all 0 but the rank's own.
struct Problem {
  Collective collective = Collective::broadcast;
  int ranks = 1;
  std::int64_t count = 0;            ///< elements
  int root = 0;                      ///< for collectives that have one
  int distance = 0;                  ///< shift: rank i's block goes to rank (i + distance) mod p; any sign
  std::vector<std::int64_t> counts;  ///< empty: `count` everywhere
  std::int64_t extra = 0;            ///< without `counts`: the first `extra` blocks have one element more
  bool commutative = true;           ///< whether the operator may be applied in any order of ranks
  bool in_place = false;             ///< the input lies in the output buffer
  int known_to = -1;                 ///< the rank whose counts these are; -1: all ranks'

  /// Elements in the block of `rank` (see `counts`); not for all-to-all.
  std::int64_t block_count(int rank) const;
  /// Elements that all-to-all moves from `origin` to `destination`. Throws `Error` where they are not known.
  std::int64_t pair_count(int origin, int destination) const;

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// The largest `count` with which no algorithm moves more than 2^62 elements in all; what algorithms claim of larger
/// ones overflows.
std::int64_t largest_count(const Problem& problem);

/// Whether all blocks are of one size, or all of the p parts into which a message without blocks is cut.
bool has_equal_blocks(const Problem& problem);

/// Throws `Error` unless the problem is well formed: ranks >= 1, counts >= 0 and as many as needed, root in [0, p), and
/// counts that are not above `largest_count`.
void check(const Problem& problem);

/// The problem with no per-rank counts, all else as it is. O(1): there may be p² of them.
Problem without_counts(const Problem& problem);

/// One line for people: "broadcast of 8 elements over 4 ranks, root 2".
std::string describe(const Problem& problem, Unit unit = Unit::elements);

}  // namespace tutti
