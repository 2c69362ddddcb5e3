/// @file
/// All-to-all exchanges as matrices: which blocks each rank holds.
#pragma once

#include <vector>

#include "draw/book/figure_part.hpp"
#include "schedule/model/schedule.hpp"

namespace tutti::draw {

/// Most ranks whose blocks are drawn as a matrix.
inline constexpr int most_ranks_in_matrix = 16;

/// Text of a block that goes from one rank to another.
enum class BlockText { pair, matrix_element };

/// A matrix before the first phase and after each (after each step where the text names no phases): a row a rank, with
/// the blocks that it holds, by their receivers and then by their senders. A block that the phase brought is gray.
/// Needs an all-to-all of at most `most_ranks_in_matrix` ranks.
std::vector<FigurePart> block_matrices(const Schedule& schedule, BlockText text = BlockText::pair);

}  // namespace tutti::draw
