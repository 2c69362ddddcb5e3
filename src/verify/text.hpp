/// @file
/// The proof of what a choice records, without holding all of it.
#pragma once

#include <optional>

#include "schedule/choice.hpp"
#include "verify/verify.hpp"

namespace tutti {

/// The same as verify() of what the choice records, for a problem that is well formed and that it is for. Above 64
/// ranks, where every rank does the same seen from itself, one rank's program is held at a time, and the cost for each
/// operation is little more than that of recording it (symmetry.hpp).
Proof verify(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// The same for any number of ranks, by one rank's program alone; nothing where not every rank does the same.
std::optional<Proof> verify_by_symmetry(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// How much verify() holds: what the choice records, or one rank's program where that makes all others
/// (schedule/alike_text.hpp). The first throws as check_size() does; the other never is too much.
RecordedSize check_proof_size(const Choice& choice, const Problem& problem, const Layout& layout = {});

}  // namespace tutti
