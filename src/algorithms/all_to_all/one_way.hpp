/// @file
/// Blocks on a ring, all in one direction: the part that both ring algorithms consist of.
#pragma once

#include "schedule/record/script.hpp"

namespace tutti::algorithms {

enum class Direction : int { upwards = 1, downwards = -1 };

/// Takes every rank's blocks to the `reach` ranks that follow it in the direction, in `reach` steps to the next
/// neighbour.
///
/// In step k a rank sends all blocks of one origin that still have a way to go: at first its own, then what has just
/// arrived less the block for itself. Blocks of a message are in the order of their destinations, so that it consists
/// of one slice of scratch, or two of the input. Scratch holds two such messages by turns.
/// Traffic: reach messages a rank; step k's has reach - k + 1 blocks.
void pass_blocks(Script& me, const Problem& problem, Direction direction, int reach);

}  // namespace tutti::algorithms
