/// @file
/// Which copies the receiver of a message may make for its sender.
///
/// A rank that sends something and keeps a copy of it reads it twice: it copies, and the receiver reads. Where ranks
/// write one another's memory, one read is enough: who reads the message stores it in the copy's place, too.
///
///     rank r    step t        W = x, send x to q         lends the copy to q: part of it, or all
///     rank q    step s        … = x ∘ …                  reads x from r, and stores it in W
///
/// Why what is proved of the schedule still holds. The proof has W written in r's step t, from x. It still is, from the
/// same x, in the same step: q reads the message after r has sent it, which is in step t, and before r learns that it
/// is delivered, without which step t does not end. In between nobody else looks at W or writes x, because no operation
/// of a step writes what another one touches, and nothing is chained to the copy. Each byte of W is written once: r and
/// q claim what they write, by a counter that lasts until the next message from r to q: so r sends q no other one in
/// step t after that which lends the copy.
#pragma once

#include "schedule/compiled_program.hpp"

namespace tutti {

/// Finds for every copy of a step the first message that carries just what is copied, among the step's last ones to
/// each peer. Leaves out steps that have more than 128 operations, next to which a copy is nothing. Time:
/// O(operations), times 128 at most.
void find_lent_copies(CompiledProgram& compiled);

}  // namespace tutti
