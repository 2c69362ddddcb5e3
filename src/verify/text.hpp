/// @file
/// The proof of what a text records, without holding all of it.
#pragma once

#include "schedule/script.hpp"
#include "verify/verify.hpp"

namespace tutti {

/// The same as verify() of what the text records, for a problem that is well formed and that the text is for. Above 64
/// ranks, where every rank does the same seen from itself, one rank's program is held at a time, and the cost for each
/// operation is little more than that of recording it (rotation.hpp).
Proof verify(const Record& text, const Problem& problem);

}  // namespace tutti
