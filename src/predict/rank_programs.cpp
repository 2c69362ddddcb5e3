#include "predict/rank_programs.hpp"

namespace tutti {
namespace {

void turn_peers(CompiledProgram& compiled, const Turns& turns, int rank) {
  for (SendStep& send : compiled.sends) send.peer = turns(rank, send.peer);
  for (FoldOperand& operand : compiled.operands) {
    if (operand.peer >= 0) operand.peer = turns(rank, operand.peer);
  }
}

}  // namespace

RankPrograms::RankPrograms(const Choice& choice, const Problem& problem, const Layout& layout)
    : choice_(choice), problem_(problem), layout_(layout), known_(problem) {
  if (!choice.algorithm->steps_differ) turns_ = turns_of(*choice.algorithm, problem);
}

CompiledProgram RankPrograms::of(int rank) {
  if (!turns_) {
    record_rank(choice_, problem_, rank, program_, layout_);
    return CompiledProgram(program_, CompiledFor::pricing);
  }
  if (!first_) {
    record_rank(choice_, problem_, 0, program_, layout_);
    first_.emplace(program_, CompiledFor::pricing);
  }
  CompiledProgram compiled = *first_;
  turn_peers(compiled, *turns_, rank);
  return compiled;
}

std::optional<Turns> turns_of(const Algorithm& algorithm, const Problem& problem) {
  const bool fit = algorithm.alike && Turns::fit(*algorithm.alike, problem.ranks) && has_equal_blocks(problem);
  return fit ? std::optional<Turns>(std::in_place, *algorithm.alike, problem.ranks) : std::nullopt;
}

}  // namespace tutti
