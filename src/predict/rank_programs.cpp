#include "predict/rank_programs.hpp"

namespace tutti {
namespace {

void turn_peers(CompiledProgram& compiled, const PeerTurns& turns, int rank) {
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

RankPrograms::RankPrograms(const Choice& choice, const Problem& problem, const Layout& layout)
    : choice_(choice), problem_(problem), layout_(layout), known_(problem) {
  if (!choice.algorithm->steps_differ) turns_ = turns_of(choice, problem);
}

void RankPrograms::compile(int rank, CompiledProgram& compiled) {
  if (!turns_) {
    record_rank(choice_, problem_, rank, *program_, layout_);
    return compiled.compile(*program_, CompiledFor::pricing);
  }
  if (!has_first_) {
    record_rank(choice_, problem_, 0, *program_, layout_);
    first_->compile(*program_, CompiledFor::pricing);
    has_first_ = true;
  }
  compiled = *first_;
  turn_peers(compiled, *turns_, rank);
}

}  // namespace tutti
