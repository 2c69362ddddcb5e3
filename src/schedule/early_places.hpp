/// @file
/// Which results may reach another rank a step before they are sent to it.
///
/// A rank that combines something and then sends it writes it, and the receiver reads and writes it again. Where ranks
/// write one another's memory, the result can be stored straight at both: one pass fewer.
///
///     rank r    step t        F = x ∘ y ∘ …              the receiver's place gets F, too
///               step t + 1    send F to q
///     rank q    step s        opens W to r
///               step s + 1    receive into W from r      finds it there, and copies nothing
///
/// Why what is proved of the schedule still holds. The proof has W written in q's step s + 1, when r has sent F. Now W
/// is written earlier, but not before q's step s has begun; and nothing can tell the difference:
/// - At q. All of q's earlier steps are over, and with them all reads of what they sent. No operation of step s reads
///   or writes W, but for at most one send of just W to r. No other operation of step s + 1 touches W until the receive
///   is done, because no operation of a step writes what another one touches, and the receive is first of its chain.
/// - At r. If q sends W in step s, then only r reads it, as an operand of F itself, at the same positions: who computes
///   an element of F has read that element of all operands before it stores the result. If r reads W otherwise, or
///   from a copy, r leaves W alone.
/// - The bytes. F is final when it is computed, because no chained operation goes on with it, and no operation of step
///   t writes what another one writes. The message of step t + 1 is sent all the same, of the same number and length,
///   so that each wait ends after the same events as before.
#pragma once

#include "schedule/compiled_program.hpp"

namespace tutti {

/// Finds for every step which places of the next it may open, and for every fold of two operands or more which sends of
/// the next step carry its result. Leaves out steps that have more than 128 operations, next to which a message more or
/// less is nothing. Time: O(operations), times 128 at most.
void find_early_places(CompiledProgram& compiled);

}  // namespace tutti
