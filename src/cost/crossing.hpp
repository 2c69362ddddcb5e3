/// @file
/// Crossing points: sizes at which one algorithm begins to beat another.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tutti {

/// Sizes in bytes, both ends included.
struct SizeRange {
  std::int64_t least = 1;
  std::int64_t most = std::int64_t{1} << 30;

  friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// The sizes of the range at which `winner` changes: each is the least with its own winner. `winner` numbers the best
/// of several for a size.
///
/// Found by looking at so many sizes for every doubling, the powers of two among them, and bisecting where neighbours
/// differ; a winner that rules only between two of them is missed. The differences of closed forms are straight lines
/// but for rounding, so there is none but where p does not divide the size.
std::vector<std::int64_t> winner_changes(const std::function<std::size_t(std::int64_t bytes)>& winner,
                                         const SizeRange& range, int looks_a_doubling = 8);

/// The sizes of the range at which the sign of first - second changes: each is the least with the new sign.
std::vector<std::int64_t> crossings(const std::function<double(std::int64_t bytes)>& first,
                                    const std::function<double(std::int64_t bytes)>& second,
                                    const SizeRange& range = {});

}  // namespace tutti
