/// @file
/// The proof of what a choice records, without holding all of it.
#pragma once

#include "schedule/choice.hpp"
#include "verify/verify.hpp"

namespace tutti {

/// The same as verify() of what the choice records, for a problem that is well formed and that it is for. Above 64
/// ranks, where every rank does the same seen from itself, one rank's program is held at a time, and the cost for each
/// operation is little more than that of recording it (rotation.hpp).
Proof verify(const Choice& choice, const Problem& problem, const Layout& layout = {});

}  // namespace tutti
