#include "gallery/beginning.hpp"

#include <map>
#include <utility>

namespace tutti::gallery {
namespace {

using Pair = std::pair<int, int>;  // sender and receiver

Pair pair_of(int rank, const Op& op) { return op.receives() ? Pair{op.peer, rank} : Pair{rank, op.peer}; }

// Returns the operation with which the step begins, or the end.
std::size_t begin_of_step(const Program& program, int step) {
  std::size_t at = 0;
  for (int k = 1; k < step && at < program.ops.size(); ++k) at = program.step_end(at);
  return at;
}

void cut(Program& program, std::size_t at) {
  program.ops.resize(at);
  if (at > 0) program.ops.back().ends_step = true;
}

// Leaves of the step only what moves data.
void end_with_messages(Program& program, std::size_t begin) {
  cut(program, begin < program.ops.size() ? program.step_end(begin) : begin);
  std::size_t kept = begin;
  for (std::size_t at = begin; at < program.ops.size(); ++at) {
    Op op = program.ops[at];
    if (!op.communicates()) continue;
    // The operand may be what is wrong.
    if (op.kind == OpKind::receive_reduce) {
      op.kind = OpKind::receive;
      op.operand = op.second = 0;
    }
    op.chained = false;
    op.ends_step = false;
    program.ops[kept++] = op;
  }
  cut(program, kept);
}

// Cuts the first rank that it finds with a message that has no counterpart any more. Returns whether there was one.
bool cut_unmatched(Schedule& schedule) {
  std::map<Pair, int> sends;
  std::map<Pair, int> receives;
  const auto each = [&](auto&& see) {
    for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
      Program& program = schedule.programs[rank];
      for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin)) {
        const std::size_t end = program.step_end(begin);
        for (std::size_t at = begin; at < end; ++at) {
          const Op& op = program.ops[at];
          if (op.communicates() && see(program, begin, pair_of(static_cast<int>(rank), op), op.receives())) return true;
        }
      }
    }
    return false;
  };
  each([&](Program&, std::size_t, const Pair& pair, bool receive) {
    ++(receive ? receives : sends)[pair];
    return false;
  });
  std::map<std::pair<Pair, bool>, int> seen;
  return each([&](Program& program, std::size_t begin, const Pair& pair, bool receive) {
    if (++seen[{pair, receive}] <= (receive ? sends : receives)[pair]) return false;
    cut(program, begin);
    return true;
  });
}

}  // namespace

Schedule beginning_of(const Schedule& schedule, int step) {
  Schedule result = schedule;
  // If one rank goes wrong in a step, others that are as far often do, too.
  for (Program& program : result.programs) end_with_messages(program, begin_of_step(program, step));
  while (cut_unmatched(result)) {
  }
  return result;
}

}  // namespace tutti::gallery
