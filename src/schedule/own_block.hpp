/// @file
/// Programs of ranks one of whose buffers is a part of the other.
#pragma once

#include "schedule/schedule.hpp"

namespace tutti {

/// The program of a rank whose buffer `inner`, as a whole, is the memory of `block`: the rank's own block, which lies
/// in the other one of its buffers. So it is where MPI_IN_PLACE stands for what a rank gathers from itself, or scatters
/// to itself.
///
/// Most programs copy the block to its place and write that place no more. That copy is left out, and nothing is
/// copied. Programs that write the place otherwise, such as those that get the own block back with all others, use
/// scratch for what they have in `inner`, which is copied there first if it is the input.
///
/// A proof of the program still holds. Where copies are left out, nothing else writes the block, so that it always has
/// what the program that was proved reads there. Where scratch stands for `inner`, the two buffers are apart again, as
/// the proof takes them to be. Messages come and go as before, so that the other ranks' programs need not know. Time:
/// O(the program).
Program within_own_block(const Program& program, Buffer inner, const Slice& block);

}  // namespace tutti
