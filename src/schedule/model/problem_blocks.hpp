/// @file
/// Blocks: a run of elements cut into consecutive parts; those of a problem, and of each buffer of a rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "schedule/model/problem.hpp"

namespace tutti {

/// Consecutive blocks of a run of elements. O(1) to make and to ask where blocks are even, O(n) to make
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
  /// Returns the first element of block `i`, for 0 <= i <= size(); first(size()) is the total.
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
  std::int64_t larger_ = 0;  // number of leading blocks that have one element more
  int size_ = 0;
  std::shared_ptr<const std::int64_t[]> firsts_;  // only where sizes are given
};

/// Blocks of one problem, for who asks for them many times: counts are summed, and the dual problem is made, once. The
/// problem must neither change while the cache lives nor go.
class BlockCache {
 public:
  explicit BlockCache(const Problem& problem);
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  /// The blocks that the problem's counts say, if the problem, itself and no copy, is known; null otherwise.
  const Blocks* of(const Problem& problem) const {
    const bool is_known = &problem == problem_ || (dual_ && &problem == &*dual_);
    return is_known ? &blocks_ : nullptr;
  }
  /// The dual of the problem, if that is known and has counts: kept once `make()` has made it; null otherwise. Its
  /// counts are the problem's, and its blocks are known, too.
  template <typename Make>
  const Problem* dual_of(const Problem& problem, Make&& make) {
    if (&problem != problem_ || problem.counts.empty()) return nullptr;
    if (!dual_) dual_ = make();
    return &*dual_;
  }

 private:
  const Problem* problem_;
  std::optional<Problem> dual_;
  Blocks blocks_;
};

// Functions of a problem. Blocks that are given as `known` are not summed again.

/// The p blocks that the collective is about, in rank order: one rank's block each, or the p parts of a whole message.
/// Not for all-to-all, where every rank has its own p blocks (none here).
Blocks all_blocks(const Problem& problem, const BlockCache* known = nullptr);
/// The problem that `collective` poses on the same ranks with the same root and operator, on the blocks of `problem`
/// (the parts of its message, if it has one), or on all of them as one message.
Problem related(const Problem& problem, Collective collective, const BlockCache* known = nullptr);

/// The block layout of `rank`'s input buffer: one block where the collective gives a rank one, p otherwise. Whole
/// messages (broadcast, reduce, all-reduce, scans) are cut into p parts. Empty on ranks that have no input.
Blocks input_blocks(const Problem& problem, int rank, const BlockCache* known = nullptr);
/// Returns the blocks of the output buffer.
Blocks output_blocks(const Problem& problem, int rank, const BlockCache* known = nullptr);

}  // namespace tutti
