/// @file
/// Counts by rank: arguments of the collectives in `_v` beside their buffers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tutti/detail/export.hpp"

namespace tutti {

namespace detail {

/// Throws `Error(invalid_argument)`: the count is beyond the 64 bits with a sign that counts have.
[[noreturn]] TUTTI_API void refuse_count(std::uint64_t count);
/// Throws `Error(invalid_argument)`: blocks are to be displaced, but there is no displacement for any of the counts.
[[noreturn]] TUTTI_API void refuse_no_displacements(std::size_t counts);
/// Throws `Error(invalid_argument)`: no std::vector of elements of `element_size` bytes has `count` of them.
[[noreturn]] TUTTI_API void refuse_result(std::int64_t count, std::size_t element_size);

template <typename T>
concept CountType = std::integral<std::remove_cv_t<T>> && !std::same_as<std::remove_cv_t<T>, bool>;

}  // namespace detail

/// One count for each rank, in order of rank: any range of any integer type, or a list in braces. Counts of 64 bits
/// with a sign are read where they lie; others are copied. Made in the call that uses it, and gone with it.
///
///     std::vector<int> counts{3, 1, 2};
///     comm.all_gather_v(mine, all, counts);
///     comm.all_gather_v(mine, all, {3, 1, 2});
///
/// Throws `Error(invalid_argument)` for a count above 2^63 - 1. Members that name neither errors nor cost have no
/// errors and take constant time.
class Counts {
 public:
  /// Counts of a range, or of a list. Throws `Error(invalid_argument)` for a count above 2^63 - 1. Cost: a copy of
  /// counts that are no std::int64_t in a row.
  template <typename R>
  requires(std::ranges::range<R> && !std::same_as<std::remove_cvref_t<R>, Counts>) Counts(R&& counts)
      : counts_(view_of(counts, own_)) {}  // NOLINT: any counts are Counts wherever they are wanted
  template <detail::CountType T>
  Counts(std::initializer_list<T> counts) : counts_(copy_of(counts, own_)) {}  // NOLINT
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;

  /// Returns the counts, where they lie.
  std::span<const std::int64_t> view() const { return counts_; }
  /// Returns the first element of each block in its buffer; empty: they lie one after the other.
  std::span<const std::int64_t> displacements() const { return displacements_; }
  /// Whether they are to be read at the root alone: see at_root().
  bool at_root_alone() const { return at_root_alone_; }

 private:
  template <typename R>
  Counts(R&& counts, bool at_root_alone) : counts_(view_of(counts, own_)), at_root_alone_(at_root_alone) {}
  template <typename R, typename D>
  Counts(R&& counts, D&& displacements, bool at_root_alone)
      : counts_(view_of(counts, own_)),
        displacements_(view_of(displacements, own_displacements_)),
        at_root_alone_(at_root_alone) {
    if (displacements_.empty() && !counts_.empty()) detail::refuse_no_displacements(counts_.size());
  }
  template <typename R>
  friend Counts at_root(R&& counts);
  template <typename R, typename D>
  friend Counts at_root(R&& counts, D&& displacements);
  template <typename R, typename D>
  friend Counts displaced(R&& counts, D&& displacements);

  template <typename R>
  static std::span<const std::int64_t> view_of(R&& counts, std::vector<std::int64_t>& own) {
    using T = std::ranges::range_value_t<R>;
    static_assert(detail::CountType<T>,
                  "counts are integers, one for each rank, after the buffers: (in, out, counts, …)");
    if constexpr (std::same_as<T, std::int64_t> && std::ranges::contiguous_range<R> && std::ranges::sized_range<R>) {
      return {std::ranges::data(counts), std::ranges::size(counts)};
    } else if constexpr (detail::CountType<T>) {
      return copy_of(counts, own);
    } else {
      return {};
    }
  }
  template <typename R>
  static std::span<const std::int64_t> copy_of(R&& counts, std::vector<std::int64_t>& own) {
    for (const auto count : counts) {
      if (!std::in_range<std::int64_t>(count)) detail::refuse_count(static_cast<std::uint64_t>(count));
      own.push_back(static_cast<std::int64_t>(count));
    }
    return own;
  }

  std::vector<std::int64_t> own_;
  std::vector<std::int64_t> own_displacements_;
  std::span<const std::int64_t> counts_;
  std::span<const std::int64_t> displacements_;
  bool at_root_alone_ = false;
};

/// Counts that the root alone knows, for gather_v and scatter_v: what other ranks pass is not read, and may be empty.
/// All ranks of a call use it, or none. The ranks then tell one another their sizes in one all-gather of 8 bytes each;
/// the root compares them with its counts, and one that differs is an `Error(mismatch)` on every rank. Cost: that
/// all-gather, in the call.
///
///     std::vector<int> counts;
///     if (comm.rank() == 0) counts = {3, 1, 2};
///     comm.scatter_v(whole, mine, tutti::at_root(counts));
template <typename R>
Counts at_root(R&& counts) {
  return {counts, true};
}
/// Returns counts for blocks whose first elements are the displacements. Errors: as displaced(). Cost: as the counts
/// and displacements.
template <typename R, typename D>
Counts at_root(R&& counts, D&& displacements) {
  return {counts, displacements, true};
}

/// Counts of blocks that do not lie one after the other: block r begins at element displacements[r] of the buffer that
/// has the blocks of all ranks (the output of gather_v and all_gather_v, the input of scatter_v and reduce_scatter_v,
/// both of all_to_all_v). Blocks that are written must not overlap; what lies between them stays as it is.
/// Displacements are this rank's own: others may have theirs elsewhere. Throws `Error(invalid_argument)` where there
/// are counts and no displacements. Cost: a copy of displacements that are no std::int64_t in a row.
///
///     comm.all_gather_v(mine, table, tutti::displaced(counts, row_begins));
template <typename R, typename D>
Counts displaced(R&& counts, D&& displacements) {
  return {counts, displacements, false};
}

}  // namespace tutti
