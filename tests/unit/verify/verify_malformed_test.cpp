/// @file
/// Operations that no executor can run, each in a schedule made for it.

#include "support/by_hand.hpp"

namespace tutti::testing {
namespace {

Schedule one_send(const Op& op, const Slice& slice) {
  Schedule schedule{broadcast_2, {{}, {}}};
  schedule.programs[0].ops = {op};
  schedule.programs[0].pool = {slice};
  return schedule;
}

constexpr Slice whole{Buffer::output, 0, 4};
constexpr Op good_send{.kind = OpKind::send, .ends_step = true, .peer = 1, .slices = 1};

TEST(Malformed, PeerIsNotAnotherRank) {
  for (const int peer : {-1, 0, 2}) {
    Op op = good_send;
    op.peer = peer;
    expect_failure(verify(one_send(op, whole)), Kind::malformed, 0, 1,
                   peer == 0 ? "which is this rank itself" : "but the ranks are 0 to 1");
  }
}

TEST(Malformed, SliceOutsideItsBuffer) {
  for (const Slice slice :
       {out(1, 4), out(-1, 2), out(2, -1), in(0, 1), Slice{Buffer::scratch, 0, 1}, out(INT64_MAX, 4)}) {
    expect_failure(verify(one_send(good_send, slice)), Kind::malformed, 0, 1, "beyond the");
  }
}

TEST(Malformed, SlicesOutsideThePool) {
  Op op = good_send;
  op.slices = 2;
  expect_failure(verify(one_send(op, whole)), Kind::malformed, 0, 1, "pool");
}

TEST(Malformed, UnknownKindOrBuffer) {
  Op op = good_send;
  op.kind = static_cast<OpKind>(9);
  expect_failure(verify(one_send(op, whole)), Kind::malformed, 0, 1, "kind");
  expect_failure(verify(one_send(good_send, {static_cast<Buffer>(9), 0, 1})), Kind::malformed, 0, 1, "buffer");
}

TEST(Malformed, LastStepDoesNotEnd) {
  Op op = good_send;
  op.ends_step = false;
  expect_failure(verify(one_send(op, whole)), Kind::malformed, 0, 1, "does not end");
}

TEST(Malformed, WritesTheInput) {
  expect_failure(proof_of(all_gather_2, [](Script& me) { me.copy(me.input(), me.output(0)); }), Kind::malformed, 0, 1,
                 "caller's input");
}

TEST(Malformed, ListsOfUnequalLength) {
  expect_failure(proof_of(all_reduce_2, [](Script& me) { me.reduce(me.output(), me.input(), me.input(0)); }),
                 Kind::malformed, 0, 1, "differ in length");
  Op op = good_send;
  op.slices = 0;
  op.operand = 1;
  expect_failure(verify(one_send(op, whole)), Kind::malformed, 0, 1, "differ in length");
}

TEST(Malformed, ReductionWithoutAnOperator) {
  expect_failure(proof_of(all_gather_2, [](Script& me) { me.reduce(me.output(0), me.input(), me.input()); }),
                 Kind::malformed, 0, 1, "all-gather has no operator");
}

TEST(Malformed, MessageOfMoreThan62Bits) {
  Op op = good_send;
  op.slices = 4;
  Schedule schedule = one_send(op, whole);
  schedule.problem.count = std::int64_t{1} << 60;
  schedule.programs[0].pool.assign(4, out(0, schedule.problem.count));
  expect_failure(verify(schedule), Kind::unmatched, 0, 1, "no receive");
  schedule.programs[0].pool.push_back(out(0, 1));
  schedule.programs[0].ops[0].slices = 5;
  expect_failure(verify(schedule), Kind::malformed, 0, 1, "2^62");
}

TEST(Malformed, ProblemOrProgramsThatDoNotFit) {
  Schedule schedule = recorded(all_gather_2, exchange);
  schedule.programs.pop_back();
  expect_failure(verify(schedule), Kind::malformed, -1, -1, "1 programs for 2 ranks");
  schedule.problem.ranks = 0;
  expect_failure(verify(schedule), Kind::malformed, -1, -1, "at least one rank");
  schedule = recorded(all_gather_2, exchange);
  schedule.programs[1].scratch = -3;
  expect_failure(verify(schedule), Kind::malformed, 1, -1, "scratch");
}

TEST(Malformed, ProblemIsKnownToOneRankAlone) {
  const Problem problem{.collective = Collective::all_to_all, .ranks = 3, .counts = {1, 1, 1, 1, 1, 1}, .known_to = 1};
  expect_failure(verify(Schedule{problem, {{}, {}, {}}}), Kind::malformed, -1, -1, "rank 1 alone");
}

}  // namespace
}  // namespace tutti::testing
