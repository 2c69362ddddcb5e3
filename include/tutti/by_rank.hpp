/// @file
/// Elements of several ranks, told apart by rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace tutti {

/// Result of gather_v, all_gather_v and all_to_all_v: the elements of all ranks in order of rank, and how many came
/// from each. Both empty on ranks that receive nothing.
template <typename T>
struct ByRank {
  std::vector<T> elements;           ///< block of rank 0, then that of rank 1, and so on
  std::vector<std::int64_t> counts;  ///< elements of each rank

  /// Returns the elements of `rank`, in [0, counts.size()): no errors, it is not checked. Cost: O(rank).
  std::span<T> from(int rank) { return std::span(elements).subspan(first(rank), count(rank)); }
  std::span<const T> from(int rank) const { return std::span(elements).subspan(first(rank), count(rank)); }

 private:
  std::size_t count(int rank) const { return static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]); }
  std::size_t first(int rank) const {
    return static_cast<std::size_t>(std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0}));
  }
};

}  // namespace tutti
