/// @file
/// The verifier and the other readers of schedules, on schedules made of arbitrary bytes: a wrong schedule is a value
/// or an `Error`, never a crash, an endless loop or a read out of bounds. What is proved has messages that can be
/// counted.

#include <cstdlib>

#include "fuzz/bytes.hpp"
#include "tutti/error.hpp"
#include "verify/verify.hpp"

namespace {

using namespace tutti;

Problem problem_from(fuzz::Bytes& bytes) {
  const auto collectives = all_collectives();
  Problem problem;
  problem.collective =
      collectives[static_cast<std::size_t>(bytes.between(0, static_cast<int>(collectives.size()) - 1))];
  problem.ranks = bytes.between(1, 4);
  problem.count = bytes.between(0, 5);
  problem.root = has_root(problem.collective) ? bytes.between(0, problem.ranks - 1) : 0;
  problem.distance = bytes.between(-3, 3);
  problem.commutative = bytes.between(0, 1) == 1;
  problem.in_place = allows_in_place(problem.collective) && bytes.between(0, 1) == 1;
  return problem;
}

std::int64_t position_from(fuzz::Bytes& bytes) {
  const int value = bytes.between(-2, 40);
  return value < 38 ? value : std::int64_t{1} << (60 + value - 38);
}

std::uint32_t slices_from(fuzz::Bytes& bytes, Program& program) {
  const int n = bytes.between(0, 2);
  for (int k = 0; k < n; ++k) {
    const auto buffer = static_cast<Buffer>(bytes.between(0, 2));
    const std::int64_t first = position_from(bytes);
    program.pool.push_back({buffer, first, position_from(bytes)});
  }
  return static_cast<std::uint32_t>(n);
}

Program program_from(fuzz::Bytes& bytes) {
  Program program;
  program.scratch = bytes.between(0, 20);
  for (int ops = bytes.between(0, 6); ops > 0; --ops) {
    Op op{.kind = static_cast<OpKind>(bytes.between(0, 4)), .side = static_cast<Side>(bytes.between(0, 1))};
    op.ends_step = bytes.between(0, 1) == 1;
    op.chained = bytes.between(0, 2) == 2;
    op.peer = bytes.between(-2, 5);
    op.at = static_cast<std::uint32_t>(program.pool.size());
    op.slices = slices_from(bytes, program);
    op.operand = slices_from(bytes, program);
    op.second = slices_from(bytes, program);
    program.ops.push_back(op);
  }
  return program;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  Schedule schedule{problem_from(bytes), {}};
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) schedule.programs.push_back(program_from(bytes));
  text_of(schedule);
  const Proof proof = verify(schedule);
  if (proof.failure && (describe(*proof.failure).empty() || proof.failure->reason.empty())) std::abort();
  if (proof.proved()) traffic_of(schedule);
  return 0;
}
