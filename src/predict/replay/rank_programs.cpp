#include "predict/replay/rank_programs.hpp"

#include "schedule/rewrite/program_compiler.hpp"

namespace tutti {
namespace {

void turn_peers(CompiledProgram& compiled, const PeerSymmetry& turns, int rank) {
  // Rings have the same peer many times in a row.
  int last = -1;
  int turned = -1;
  const auto turn = [&](int& peer) {
    if (peer != last) turned = turns(rank, last = peer);
    peer = turned;
  };
  for (SendStep& send : compiled.sends) turn(send.peer);
  for (FoldOperand& operand : compiled.operands) {
    if (operand.peer >= 0) turn(operand.peer);
  }
}

}  // namespace

RankPrograms::RankPrograms(RecordingContext& context, const Choice& choice, const Problem& problem,
                           const Layout& layout)
    : context_(context),
      choice_(choice),
      problem_(problem),
      layout_(layout),
      scope_(context, problem),
      first_(context.pool()),
      program_(context.pool()) {
  if (!choice.algorithm->steps_differ) turns_ = turns_of(choice, problem);
}

void RankPrograms::compile(int rank, CompiledProgram& compiled) {
  if (!turns_) {
    record_rank(context_, choice_, problem_, rank, *program_, layout_);
    return compile_into(context_.pool(), compiled, *program_, CompiledFor::pricing);
  }
  if (!has_first_) {
    record_rank(context_, choice_, problem_, 0, *program_, layout_);
    compile_into(context_.pool(), *first_, *program_, CompiledFor::pricing);
    has_first_ = true;
  }
  compiled = *first_;
  turn_peers(compiled, *turns_, rank);
}

std::optional<PeerSymmetry> turns_of(const Choice& choice, const Problem& problem) {
  const Algorithm& algorithm = *choice.algorithm;
  if (!has_equal_blocks(problem)) return std::nullopt;
  if (algorithm.grid_symmetry) return PeerSymmetry(algorithm.grid_symmetry(choice.parameters, problem.ranks));
  if (!algorithm.symmetry || !RankSymmetry::fit(*algorithm.symmetry, problem.ranks)) return std::nullopt;
  return PeerSymmetry(RankSymmetry(*algorithm.symmetry, problem.ranks));
}

}  // namespace tutti
