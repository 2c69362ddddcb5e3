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

#include "schedule/alike_text.hpp"
#include "schedule/known_blocks.hpp"
#include "verify/text.hpp"

#include "verify/execution.hpp"
#include "verify/expressions.hpp"
#include "verify/matching.hpp"
#include "verify/postcondition.hpp"
#include "verify/symmetry.hpp"
#include "verify/well_formed.hpp"

namespace tutti {
namespace {

// The four questions; the last one is `look`.
template <typename Look>
std::optional<Failure> run(const Schedule& schedule, proof::Observer* observer, Look&& look) {
  if (auto failure = proof::find_malformed(schedule)) return failure;
  if (auto failure = proof::find_conflict(schedule)) return failure;
  const proof::Matching matching(schedule);
  if (auto failure = matching.find_failure(schedule)) return failure;
  proof::Expressions expressions(schedule.problem.ranks, schedule.problem.commutative);
  proof::Execution execution(schedule, matching, expressions, observer);
  if (auto failure = execution.run()) return failure;
  return look(execution, expressions);
}

std::optional<Failure> find_failure(const Schedule& schedule) {
  return run(schedule, nullptr, [&](const proof::Execution& execution, const proof::Expressions& expressions) {
    return proof::check_outcome(schedule, execution, expressions);
  });
}

}  // namespace

Proof verify(const Schedule& schedule) { return {find_failure(schedule), proof::is_single_ported(schedule)}; }

namespace {

// The proof of a text that is turned from rank to rank. The pattern is the text itself, of which all programs are made:
// that of rank 0 may have lost where runs of blocks end. Where it has more than one send or receive in flight, programs
// that leave out some of them may not: then nothing is said.
std::optional<Proof> verify_by_making(const AlikeText& text, const Choice& choice, const Problem& problem,
                                      const Layout& layout) {
  if (!proof::may_be_alike(text.kind, problem)) return std::nullopt;
  const Program pattern = record_rank(text.text, with_unit_blocks(problem), 0, choice.parameters);
  const auto program_of = [&](int rank, Program& program) { record_rank(choice, problem, rank, program, layout); };
  if (!proof::is_single_ported(pattern) || !proof::is_proved_by_making(text.kind, problem, pattern, program_of))
    return std::nullopt;
  return Proof{std::nullopt, true, true};
}

constexpr int few_ranks = 64;

}  // namespace

std::optional<Proof> verify_by_symmetry(const Choice& choice, const Problem& problem, const Layout& layout) {
  const KnownBlocks known(problem);
  if (const AlikeText* text = alike_text_of(*choice.algorithm)) {
    if (auto proof = verify_by_making(*text, choice, problem, layout)) return proof;
  }
  std::optional<Program> pattern;
  for (const Turns::Kind kind : Turns::all_kinds) {
    if (!proof::may_be_alike(kind, problem)) continue;
    if (!pattern) record_rank(choice, with_unit_blocks(problem), 0, pattern.emplace(), layout);
    // Where the pattern has more than one send or receive in flight, programs that leave out some of them may not.
    const bool single_ported_pattern = proof::is_single_ported(*pattern);
    bool single_ported = true;
    const auto program_of = [&](int rank, Program& program) {
      record_rank(choice, problem, rank, program, layout);
      single_ported = single_ported && (single_ported_pattern || proof::is_single_ported(program));
    };
    if (proof::is_proved_by_one_rank(kind, problem, *pattern, program_of))
      return Proof{std::nullopt, single_ported, true};
  }
  return std::nullopt;
}

Proof verify(const Choice& choice, const Problem& problem, const Layout& layout) {
  if (problem.ranks > few_ranks) {
    if (const auto proof = verify_by_symmetry(choice, problem, layout)) return *proof;
    if (alike_text_of(*choice.algorithm) != nullptr) check_size(choice, problem, layout);
  }
  return verify(record_all(choice, problem, layout));
}

RecordedSize check_proof_size(const Choice& choice, const Problem& problem, const Layout& layout) {
  const AlikeText* text = alike_text_of(*choice.algorithm);
  const bool is_made_by_one = text != nullptr && choice.algorithm->claims && proof::may_be_alike(text->kind, problem);
  if (problem.ranks <= few_ranks || !is_made_by_one) return check_size(choice, problem, layout);
  // With one element a block there are at least as many elements in messages as slices.
  const Claims all = choice.claims(with_unit_blocks(problem), layout);
  return {all.messages / problem.ranks, all.elements / problem.ranks};
}

std::optional<Failure> proof::examine(const Schedule& schedule,
                                      const std::function<void(const Execution& execution)>& see) {
  return run(schedule, nullptr, [&](const Execution& execution, const Expressions& expressions) {
    auto failure = check_outcome(schedule, execution, expressions);
    if (!failure) see(execution);
    return failure;
  });
}

std::optional<Failure> proof::observe(const Schedule& schedule, Observer& observer) {
  return run(schedule, &observer, [](const auto&, const auto&) { return std::optional<Failure>(); });
}

}  // namespace tutti
