/// @file
/// Programs for blocks that do not lie one after the other.
#pragma once

#include <cstdint>
#include <span>

#include "schedule/schedule.hpp"

namespace tutti {

/// The program, with block b of `buffer` at element displacements[b] instead of blocks.first(b). Slices that reach over
/// several blocks are cut; what messages carry, and in which order, stays the same. As many displacements as blocks.
/// Time: O(slices and blocks that they touch).
Program displaced(const Program& program, Buffer buffer, const Blocks& blocks,
                  std::span<const std::int64_t> displacements);

}  // namespace tutti
