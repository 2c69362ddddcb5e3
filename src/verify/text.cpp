#include "verify/text.hpp"

#include "schedule/record/recording_context.hpp"
#include "schedule/symmetry/symmetric_algorithm.hpp"
#include "verify/symmetry.hpp"
#include "verify/well_formed.hpp"

namespace tutti {
namespace {

// The proof of a text that is turned from rank to rank. The pattern is the text itself, of which all programs are made:
// that of rank 0 may have lost where runs of blocks end. Where it has more than one send or receive in flight, programs
// that leave out some of them may not: then nothing is said.
std::optional<Proof> verify_by_making(RecordingContext& context, const SymmetricAlgorithm& text, const Choice& choice,
                                      const Problem& problem, const Layout& layout) {
  if (!proof::may_be_alike(text.kind, problem)) return std::nullopt;
  const Program pattern = record_rank(context, text.text, with_unit_blocks(problem), 0, choice.parameters);
  const auto program_of = [&](int rank, Program& program) {
    record_rank(context, choice, problem, rank, program, layout);
  };
  if (!proof::is_single_ported(pattern) || !proof::is_proved_by_making(text.kind, problem, pattern, program_of))
    return std::nullopt;
  return Proof{std::nullopt, true, true};
}

constexpr int few_ranks = 64;

}  // namespace

std::optional<Proof> verify_by_symmetry(RecordingContext& context, const Choice& choice, const Problem& problem,
                                        const Layout& layout) {
  const ProblemScope scope(context, problem);
  if (const SymmetricAlgorithm* text = symmetric_algorithm_of(*choice.algorithm)) {
    if (auto proof = verify_by_making(context, *text, choice, problem, layout)) return proof;
  }
  std::optional<Program> pattern;
  for (const RankSymmetry::Kind kind : RankSymmetry::all_kinds) {
    if (!proof::may_be_alike(kind, problem)) continue;
    if (!pattern) record_rank(context, choice, with_unit_blocks(problem), 0, pattern.emplace(), layout);
    // If the pattern has more than one send or receive in flight, programs that leave out some of them may not.
    const bool single_ported_pattern = proof::is_single_ported(*pattern);
    bool single_ported = true;
    const auto program_of = [&](int rank, Program& program) {
      record_rank(context, choice, problem, rank, program, layout);
      single_ported = single_ported && (single_ported_pattern || proof::is_single_ported(program));
    };
    if (proof::is_proved_by_one_rank(kind, problem, *pattern, program_of))
      return Proof{std::nullopt, single_ported, true};
  }
  return std::nullopt;
}

std::optional<Proof> verify_by_symmetry(const Choice& choice, const Problem& problem, const Layout& layout) {
  RecordingContext context;
  return verify_by_symmetry(context, choice, problem, layout);
}

Proof verify(RecordingContext& context, const Choice& choice, const Problem& problem, const Layout& layout) {
  if (problem.ranks > few_ranks) {
    if (const auto proof = verify_by_symmetry(context, choice, problem, layout)) return *proof;
    if (symmetric_algorithm_of(*choice.algorithm) != nullptr) check_size(choice, problem, layout);
  }
  return verify(record_all(context, choice, problem, layout));
}

Proof verify(const Choice& choice, const Problem& problem, const Layout& layout) {
  RecordingContext context;
  return verify(context, choice, problem, layout);
}

RecordedSize check_proof_size(const Choice& choice, const Problem& problem, const Layout& layout) {
  const SymmetricAlgorithm* text = symmetric_algorithm_of(*choice.algorithm);
  const bool is_made_by_one = text != nullptr && choice.algorithm->claims && proof::may_be_alike(text->kind, problem);
  if (problem.ranks <= few_ranks || !is_made_by_one) return check_size(choice, problem, layout);
  // With one element a block there are at least as many elements in messages as slices.
  const Claims all = choice.claims(with_unit_blocks(problem), layout);
  return {all.messages / problem.ranks, all.elements / problem.ranks};
}

}  // namespace tutti
