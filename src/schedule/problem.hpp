/// @file
/// What is to be communicated: the question that an algorithm answers.
#pragma once

#include <cstdint>
#include <memory>
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
/// An all-to-all whose ranks each know their own counts alone is a problem of its own on each of them, and the only one
/// in which ranks differ: `known_to` is the rank, and `counts` has 2p entries, what it sends to each rank and then what
/// it gets from each. Algorithms whose `own_blocks_suffice` are recorded from it for that rank.
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
  int known_to = -1;                 ///< all-to-all: the rank whose counts these are; -1: all ranks'

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

/// A run of elements cut into consecutive blocks. O(1) to make and to ask where blocks are even, O(n) to make
/// otherwise; O(1) to copy.
class Blocks {
 public:
  Blocks() = default;
  /// `parts` blocks of a message of `total` elements, as even as can be: the first total mod parts have one more.
  static Blocks parts_of(std::int64_t total, int parts);
  /// `n` blocks of `each` elements, the first `larger` of them with one more.
  static Blocks equal(std::int64_t each, int n, std::int64_t larger = 0);
  /// Blocks of the given sizes.
  static Blocks sized(std::span<const std::int64_t> counts);

  int size() const { return size_; }
  /// Where block `i` begins, for 0 <= i <= size(); first(size()) is the total.
  std::int64_t first(int i) const {
    if (firsts_ != nullptr) return firsts_[static_cast<std::size_t>(i)];
    return i * each_ + (i < larger_ ? i : larger_);
  }
  std::int64_t count(int i) const { return first(i + 1) - first(i); }
  std::int64_t total() const { return first(size_); }
  /// Whether they are made as blocks of one length: others may be so by chance.
  bool are_equal() const { return firsts_ == nullptr && larger_ == 0; }

 private:
  std::int64_t each_ = 0;
  std::int64_t larger_ = 0;  // how many leading blocks have one element more
  int size_ = 0;
  std::shared_ptr<const std::int64_t[]> firsts_;  // only where sizes are given
};

/// The p blocks that the collective is about, in rank order: one rank's block each, or the p parts of a whole message.
/// Not for all-to-all, where every rank has its own p blocks (none here).
Blocks all_blocks(const Problem& problem);
/// The problem that `collective` poses on the same ranks with the same root and operator, on the blocks of `problem`
/// (the parts of its message, if it has one), or on all of them as one message.
Problem related(const Problem& problem, Collective collective);

/// The block layout of `rank`'s input buffer: one block where the collective gives a rank one, p otherwise. Whole
/// messages (broadcast, reduce, all-reduce, scans) are cut into p parts. Empty on ranks that have no input.
Blocks input_blocks(const Problem& problem, int rank);
/// The same for the output buffer.
Blocks output_blocks(const Problem& problem, int rank);

}  // namespace tutti
