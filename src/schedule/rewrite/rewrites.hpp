/// @file
/// Rewrites: five transformations of one rank's program that keep the proof of its schedule.
///
/// The verifier proves a schedule as it was recorded. A call then runs the program on memory that it does not describe,
/// or with fewer copies than it has. Each rewrite makes one such program of another:
///
///     with_displacements()      blocks that do not lie one after the other
///     with_read_only()          a buffer that may not be written
///     with_in_place_block()     a buffer that is a part of the other one
///     find_direct_stores()      results stored at their receivers before they are sent
///     find_receiver_copies()    copies made by the receivers of messages
///
/// The first three change where a rank's data lie, and yield a Program. The last two mark what executors may do sooner,
/// or elsewhere, and annotate a CompiledProgram. All are local: a rank's rewrite changes neither the number, nor the
/// order, nor the contents of its messages, so that the other ranks need not know of it. Each states its law below,
/// what it needs, and why the proof holds; the law of all is one: the outputs of every rank are those of the proved
/// schedule, whatever the inputs.
#pragma once

#include <cstdint>
#include <span>

#include "schedule/model/problem_blocks.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/rewrite/compiled_program.hpp"

namespace tutti {

// Displacements: a rewrite for blocks that do not lie one after the other.
//
// Law       Messages carry the same elements in the same order; block b of the buffer is read and written at its
//           displacement.
// Needs     As many displacements as blocks; blocks that are written overlap no other block.
// Proof     Every element of the buffer is in one block. The rewrite renames elements by one function, from position
//           in the proved buffer to position in memory, in all slices alike. Written elements have different names
//           before and after, so that two slices overlap afterwards where they did before. Cutting a slice at the ends
//           of blocks keeps the order of its elements.

/// Returns the program with block b of `buffer` at element displacements[b] instead of blocks.first(b). Slices that
/// reach over several blocks are cut. Time: O(slices and blocks that they touch).
Program with_displacements(const Program& program, Buffer buffer, const Blocks& blocks,
                           std::span<const std::int64_t> displacements);

// Read-only memory: a rewrite for a buffer that may not be written.
//
// Law       Messages carry the same elements; nothing is written into the buffer.
// Needs     A rank that holds in the buffer from the start all that the program writes there, like the root of a
//           broadcast.
// Proof     Writes go to scratch of their own, which nothing reads. Reads of the buffer find what the program would
//           have written, because it was there before.

/// Returns the program with all that it would write into `buffer` written to scratch of its own. Time: O(the program).
Program with_read_only(const Program& program, Buffer buffer);

// In-place block: a rewrite for ranks one of whose buffers is a part of the other, as where MPI_IN_PLACE stands for
// the data that a rank gathers from itself, or scatters to itself.
//
// Law       Messages carry the same elements; at the end each buffer holds the elements that the proof says.
// Needs     A buffer `inner` that is, as a whole, the memory of `block`, the rank's own block in its other buffer.
// Proof     Most programs copy the block to its place and write that place no more. That copy is left out; because
//           nothing else writes the block, it always has what the proved program reads there. Programs that write the
//           place otherwise, such as those that get the own block back with all others, use scratch for `inner`, which
//           is copied there first if it is the input. The two buffers are apart again, as the proof takes them to be.

/// Returns the program for a rank whose buffer `inner` is the memory of `block`. Time: O(the program).
Program with_in_place_block(const Program& program, Buffer inner, const Slice& block);

// Direct stores: a rewrite that lets a result be stored at another rank a step before it is sent there.
//
// A rank that combines something and then sends it writes it, and the receiver reads and writes it again. Where ranks
// write one another's memory, the result can be stored straight at both: one pass fewer.
//
//     rank r    step t        F = x ∘ y ∘ …              the receiver's place gets F, too
//               step t + 1    send F to q
//     rank q    step s        opens W to r
//               step s + 1    receive into W from r      finds it there, and copies nothing
//
// Law       When q's step s + 1 ends, W holds F; no operation reads another value than in the proof; messages are sent
//           all the same, of the same number and length, so that each wait ends after the same events.
// Needs     Ranks that write one another's memory; a receive that is first of its chain, into one slice.
// Proof     The proof has W written in q's step s + 1, when r has sent F. Now W is written earlier, but not before q's
//           step s has begun, and nothing can tell the difference:
//           - At q. All of q's earlier steps are over, and with them all reads of what they sent. No operation of step
//             s reads or writes W, but for at most one send of just W to r. No other operation of step s + 1 touches W
//             until the receive is done, because no operation of a step writes what another one touches.
//           - At r. If q sends W in step s, then only r reads it, as an operand of F itself, at the same positions:
//             who computes an element of F has read that element of all operands before it stores the result. If r
//             reads W otherwise, or from a copy, r leaves W alone.
//           - The bytes. F is final when it is computed, because no chained operation goes on with it, and no
//             operation of step t writes what another one writes.

/// Finds for every step which receives of the next step it may open (DirectStore), and for every fold of two operands
/// or more which sends of the next step carry its result. Leaves out steps that have more than 128 operations, next to
/// which a message more or less is nothing. Time: O(operations), times 128 at most.
void find_direct_stores(CompiledProgram& compiled);

// Receiver copies: a rewrite that lets the receiver of a message make a copy for its sender.
//
// A rank that sends something and keeps a copy of it reads it twice: it copies, and the receiver reads. Where ranks
// write one another's memory, one read is enough: who reads the message stores it in the copy's place, too.
//
//     rank r    step t        W = x, send x to q         lends the copy to q: part of it, or all
//     rank q    step s        … = x ∘ …                  reads x from r, and stores it in W
//
// Law       When r's step t ends, W holds x; each byte of W is written once.
// Needs     Ranks that write one another's memory; a copy that belongs to no chain; the last message of the step to q.
// Proof     The proof has W written in r's step t, from x. It still is, from the same x, in the same step: q reads the
//           message after r has sent it, which is in step t, and before r learns that it is delivered, without which
//           step t does not end. In between nobody else looks at W or writes x, because no operation of a step writes
//           what another one touches, and nothing is chained to the copy. Each byte is written once because r and q
//           claim what they write, by a counter that lasts until the next message from r to q: so r sends q no other
//           one in step t after that which lends the copy.

/// Finds for every copy of a step the first message that carries just what is copied, among the step's last ones to
/// each peer. Leaves out steps that have more than 128 operations, next to which a copy is nothing. Time:
/// O(operations), times 128 at most.
void find_receiver_copies(CompiledProgram& compiled);

}  // namespace tutti
