/// @file
/// The proof: four questions, each of which may rely on the answers before it.
///
/// 1. Is every operation one that an executor can run?                        well_formed.cpp
/// 2. Does a step write what it also reads or writes?                         conflicts.cpp
/// 3. Does every message meet a counterpart of its size?                      matching.cpp
/// 4. Do all ranks, run on symbols, come to their ends, and with what is due? execution.cpp, postcondition.cpp
///
/// The ranks are run in one order only, and only with rendezvous sends; that proves all orders and all transports:
///
/// - Which send meets which receive does not depend on timing: there is no receive from "any", and the messages of an
///   ordered pair of ranks meet in the order in which they were posted.
/// - What a message carries does not depend on timing: only a rank's own operations write its memory, and by (2) none
///   writes what another one of the same step reads or writes, but for the operations of a chain, whose order is fixed
///   and which hold no sends. So a message carries what its sender held when the sender began the step, and the effect
///   of a step does not depend on the order in which its chains go on.
/// - Whether a rank goes on does not depend on timing: an operation that can pass can still pass later, whatever
///   happens first. A chain that waits for a message keeps back the senders of its later ones: the run counts on no
///   transport that would take those in early.
///
/// So the ranks form a network of deterministic processes joined by first-in-first-out channels, and every order of
/// execution computes the same values, or stops at the same place. A transport with buffers only lets sends end
/// earlier.
/// Source    G. Kahn, The semantics of a simple language for parallel programming, Proc. IFIP Congress, 1974.
///
/// No element is looked at by itself: a run of elements with the same history is one symbol, however long it is. So the
/// cost depends on operations and blocks, not on the sizes of messages.

#include "verify/verify.hpp"

#include "verify/execution.hpp"
#include "verify/expressions.hpp"
#include "verify/matching.hpp"
#include "verify/observe.hpp"
#include "verify/postcondition.hpp"
#include "verify/well_formed.hpp"

namespace tutti {
namespace {

// The four questions; the last one is `look`.
template <typename Look>
std::optional<ProofFailure> run(const Schedule& schedule, proof::Observer* observer, Look&& look) {
  if (auto failure = proof::find_malformed(schedule)) return failure;
  if (auto failure = proof::find_conflict(schedule)) return failure;
  const proof::Matching matching(schedule);
  if (auto failure = matching.find_failure(schedule)) return failure;
  proof::Expressions expressions(schedule.problem.ranks, schedule.problem.commutative);
  proof::Execution execution(schedule, matching, expressions, observer);
  if (auto failure = execution.run()) return failure;
  return look(execution, expressions);
}

std::optional<ProofFailure> find_failure(const Schedule& schedule) {
  return run(schedule, nullptr, [&](const proof::Execution& execution, const proof::Expressions& expressions) {
    return proof::check_outcome(schedule, execution, expressions);
  });
}

}  // namespace

Proof verify(const Schedule& schedule) { return {find_failure(schedule), proof::is_single_ported(schedule)}; }

std::optional<ProofFailure> proof::examine(const Schedule& schedule,
                                           const std::function<void(const Execution& execution)>& see) {
  return run(schedule, nullptr, [&](const Execution& execution, const Expressions& expressions) {
    auto failure = check_outcome(schedule, execution, expressions);
    if (!failure) see(execution);
    return failure;
  });
}

std::optional<ProofFailure> proof::observe(const Schedule& schedule, Observer& observer) {
  return run(schedule, &observer, [](const auto&, const auto&) { return std::optional<ProofFailure>(); });
}

}  // namespace tutti
