/// @file
/// Scan: rank r ends with the combination of the contributions of ranks 0 .. r, in that order; exclusive scan: of ranks
/// 0 .. r - 1, and rank 0's output stays as it was.
#pragma once

#include "algorithms/table.hpp"
#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// Whether a rank's result has its own contribution in it.
enum class PrefixEnd { through_own, before_own };

/// Part s of a slice that is cut into such parts.
inline Slice part_of(const Slice& whole, const Blocks& parts, int s) {
  return {whole.buffer, whole.first + parts.first(s), parts.count(s)};
}

}  // namespace tutti::algorithms
