/// @file
/// n things over p ranks, where p need not divide n.
#pragma once

#include <cstdint>
#include <vector>

namespace examples {

/// Consecutive things: [first, first + size).
struct Part {
  std::int64_t first;
  std::int64_t size;
};

/// Returns the part that falls to a rank. Sizes differ by at most one.
inline Part part_of(std::int64_t n, int rank, int ranks) {
  const std::int64_t first = n * rank / ranks;
  return {first, n * (rank + 1) / ranks - first};
}

/// The sizes of all parts, in order of rank.
inline std::vector<std::int64_t> sizes_of_parts(std::int64_t n, int ranks) {
  std::vector<std::int64_t> sizes;
  for (int rank = 0; rank < ranks; ++rank) sizes.push_back(part_of(n, rank, ranks).size);
  return sizes;
}

}  // namespace examples
