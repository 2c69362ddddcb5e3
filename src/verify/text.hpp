/// @file
/// The proof of what a choice records, without holding all of it.
#pragma once

#include <optional>

#include "schedule/model/choice.hpp"
#include "verify/verify.hpp"

namespace tutti {

/// Proves what the choice records, as verify() does, for a problem that is well formed and that it is for. Above 64
/// ranks, if every rank does the same seen from itself, one rank's program is held at a time, and the cost for each
/// operation is little more than that of recording it (symmetry.hpp).
Proof verify(const Choice& choice, const Problem& problem, const Layout& layout = {});
Proof verify(RecordingContext& context, const Choice& choice, const Problem& problem, const Layout& layout = {});

/// Proves the choice for any number of ranks, by one rank's program alone; nothing if the ranks differ.
std::optional<Proof> verify_by_symmetry(const Choice& choice, const Problem& problem, const Layout& layout = {});
std::optional<Proof> verify_by_symmetry(RecordingContext& context, const Choice& choice, const Problem& problem,
                                        const Layout& layout = {});

/// Returns how much verify() holds: the recorded schedule, or one rank's program if that makes all others
/// (schedule/symmetry/symmetric_algorithm.hpp). The first throws as check_size() does; the other never is too much.
RecordedSize check_proof_size(const Choice& choice, const Problem& problem, const Layout& layout = {});

}  // namespace tutti
