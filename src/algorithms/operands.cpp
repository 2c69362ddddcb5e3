#include "algorithms/operands.hpp"

namespace tutti::algorithms {

std::vector<Operand> operands_in_rank_order(const Script& me, int first, int end, const Slice& own) {
  std::vector<Operand> operands;
  operands.reserve(static_cast<std::size_t>(end - first));
  for (int rank = first; rank < end; ++rank) {
    operands.push_back(rank == me.rank() ? Operand{.mine = {own}} : Operand{.from = rank});
  }
  return operands;
}

Slice set_aside(Script& me, const Slice& own, const Slice& into) {
  if (own.buffer != into.buffer || me.rank() < 2) return own;
  const Slice aside = me.scratch(0, own.count);
  me.copy(aside, own);
  me.wait();
  return aside;
}

}  // namespace tutti::algorithms
