/// @file
/// Programs of ranks one of whose buffers is a part of the other.
#pragma once

#include "schedule/schedule.hpp"

namespace tutti {

/// The program of a rank whose buffer `inner`, as a whole, is the memory of `block`: the rank's own block, which lies in
/// the other one of its buffers. So it is where MPI_IN_PLACE stands for what a rank gathers from itself, or scatters to itself.
///
/// Most programs copy the block to its place and touch that place no more. That copy is left out, and nothing is
/// copied. Programs that keep other blocks for a while where the own one belongs use scratch for what they have in `inner`,
/// which is copied there first if it is the input.
///
/// A proof of the program still holds. Where copies are left out, every element of both buffers has at each time what
/// the program that was proved would have there, because nothing else writes the block. Where scratch stands for `inner`,
/// the two buffers are apart again, as the proof takes them to be. Messages come and go as before, so that the other ranks'
/// programs need not know. Time: O(the program).
Program within_own_block(const Program& program, Buffer inner, const Slice& block);

}  // namespace tutti
