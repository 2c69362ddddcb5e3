/// @file
/// Demands of a proof on chains.

#include <gtest/gtest.h>

#include <random>

#include "support/by_hand.hpp"
#include "support/interpreter.hpp"

namespace tutti {
namespace {

using namespace testing;

TEST(ChainProof, AFoldOfAllInputsInOneStepIsProved) {
  for (int p = 1; p <= 9; ++p) {
    const Schedule schedule = recorded(all_reduce_over(p), [](Script& me) {
      send_to_all(me);
      me.fold(me.output(), all_inputs(me));
    });
    EXPECT_EQ(words_of(verify(schedule)), "") << "p = " << p;
    EXPECT_EQ(verify(schedule).single_ported, p <= 2);
    EXPECT_EQ(traffic_of(schedule), (Traffic{.rounds = p - 1, .messages = p * (p - 1), .elements = 4 * p * (p - 1)}));
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Observed observed = interpret(schedule, seed);
      EXPECT_TRUE(observed.right) << observed.why << ", p = " << p << ", seed " << seed;
    }
  }
}

TEST(ChainProof, WithoutTheChainTheStepWritesWhatItReads) {
  Schedule schedule = recorded(all_reduce_over(3), [](Script& me) {
    send_to_all(me);
    me.fold(me.output(), all_inputs(me));
  });
  schedule.programs[1].ops.back().chained = false;
  expect_failure(verify(schedule), Kind::conflict, 1, 1, "in the same step");
}

TEST(ChainProof, OrderMattersForOperatorsThatDoNotCommute) {
  const Text swapped = [](Script& me) {
    send_to_all(me);
    std::vector<Operand> operands = all_inputs(me);
    std::swap(operands[1], operands[2]);
    me.fold(me.output(), operands);
  };
  expect_failure(proof_of(all_reduce_over(3), swapped), Kind::wrong_operands, 0, 1, "not neighbours in rank order");
  EXPECT_EQ(words_of(proof_of(all_reduce_over(3, true), swapped)), "");
}

TEST(ChainProof, RanksThatFoldInDifferentOrdersDoNotHoldTheSameBits) {
  const Proof proof = proof_of(all_reduce_over(3, true), [](Script& me) {
    send_to_all(me);
    std::vector<Operand> operands = all_inputs(me);
    if (me.rank() == 2) std::swap(operands[0], operands[2]);
    me.fold(me.output(), operands);
  });
  expect_failure(proof, Kind::not_identical, 2, -1, "another order");
}

TEST(ChainProof, AChainMustNotTouchWhatOtherOperationsOfTheStepWrite) {
  // In place, the sends read what the fold writes.
  Problem in_place = all_reduce_over(2);
  in_place.in_place = true;
  const Proof overwrites = proof_of(in_place, [](Script& me) {
    send_to_all(me);
    me.fold(me.output(), all_inputs(me));
  });
  expect_failure(overwrites, Kind::conflict, 0, 1, "reads in the same step");
  // A second chain must keep to what is its own.
  const Text two_chains = [](Script& me) {
    const Slice scratch = me.scratch(0, 4);
    me.fold(me.output(), std::vector<Operand>(2, {.mine = {me.input()}}));
    me.chain([&] {
      me.copy(scratch, me.input());
      me.copy(me.scratch(4, 4), scratch);
      me.copy(me.output(), scratch);
    });
  };
  expect_failure(proof_of(all_reduce_over(1), two_chains), Kind::conflict, 0, 1, "writes in the same step");
}

// A step of copies within sixteen elements of scratch, some of them chained, drawn by lot.
void copy_at_random(Script& me, std::mt19937_64& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  me.copy(me.scratch(0, 16), in(0, 16));
  me.wait();
  for (std::int64_t chains = 2 + below(2); chains > 0; --chains) {
    me.chain([&] {
      for (std::int64_t members = 1 + below(3); members > 0; --members) {
        const std::int64_t count = 1 + below(2);
        me.copy(me.scratch(below(17 - count), count), me.scratch(below(17 - count), count));
      }
    });
  }
}

// By the rule's words, element for element.
bool conflicts(const Program& program) {
  const auto& ops = program.ops;
  const auto meets = [&](std::size_t writer, std::size_t other) {
    const Slice written = program.slices(ops[writer])[0];
    const Slice also = program.slices(ops[other])[0];
    const Slice read = program.operand(ops[other])[0];
    const auto shares = [&](const Slice& slice) { return written.first < slice.end() && slice.first < written.end(); };
    if (writer == other) return shares(read) && written != read;
    return shares(also) || shares(read);
  };
  for (std::size_t a = 1; a < ops.size(); ++a) {
    std::size_t chain_begin = a;
    while (ops[chain_begin].chained) --chain_begin;
    for (std::size_t b = 1; b < ops.size(); ++b) {
      const bool same_chain = b >= chain_begin && b < program.chain_end(chain_begin);
      if ((a == b || !same_chain) && meets(a, b)) return true;
    }
  }
  return false;
}

TEST(ChainProof, FindsTheConflictsThatTheRuleNames) {
  constexpr std::uint64_t seed = 20031;
  std::mt19937_64 random(seed);
  int found = 0;
  constexpr int steps = 20000;
  Problem problem = all_reduce_over(1);
  problem.count = 16;
  for (int k = 0; k < steps; ++k) {
    const Schedule schedule = recorded(problem, [&](Script& me) { copy_at_random(me, random); });
    const Proof proof = verify(schedule);
    const bool conflict = proof.failure && proof.failure->kind == Kind::conflict;
    ASSERT_EQ(conflict, conflicts(schedule.programs[0])) << text_of(schedule) << words_of(proof) << ", seed " << seed;
    found += conflict ? 1 : 0;
  }
  EXPECT_GT(found, steps / 10);
  EXPECT_LT(found, steps * 9 / 10);
}

TEST(ChainProof, AnOperationOfAChainMustNotReadBesideWhatItWrites) {
  const Proof proof = proof_of(all_reduce_over(1), [](Script& me) {
    me.chain([&] {
      me.copy(me.output(), me.input());
      me.copy(out(1, 2), out(0, 2));
    });
  });
  expect_failure(proof, Kind::conflict, 0, 1, "reads in the same step");
}

TEST(ChainProof, AChainLiesWithinAStepAndHasNoSends) {
  const auto broken = [](auto&& change) {
    Schedule schedule = recorded(all_gather_2, exchange);
    change(schedule.programs[1].ops);
    return verify(schedule);
  };
  expect_failure(broken([](std::vector<Op>& ops) { ops[0].chained = true; }), Kind::malformed, 1, 1, "to nothing");
  expect_failure(broken([](std::vector<Op>& ops) { ops[1].chained = true; }), Kind::malformed, 1, 1, "a send");
  expect_failure(broken([](std::vector<Op>& ops) { ops[0].ends_step = ops[1].chained = true; }), Kind::malformed, 1, 2,
                 "to nothing");
  expect_failure(broken([](std::vector<Op>& ops) {
                   std::swap(ops[0], ops[1]);
                   ops[1].chained = true;
                 }),
                 Kind::malformed, 1, 1, "a send");
}

TEST(ChainProof, ASendThatWaitsForAChainCanCloseACircle) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 3, .count = 4};
  const Proof proof = proof_of(problem, [](Script& me) { wait_in_a_circle(me, true); });
  expect_failure(
      proof, Kind::deadlock, 0, 1,
      "rank 0 waits in step 1 to receive output[4..8) from 1, rank 1 waits in step 1 to receive output[8..12) "
      "from 2, rank 2 waits in step 1 to send input[0..4) to 0");
  EXPECT_EQ(cycle_of(proof), (std::vector<int>{0, 1, 2}));
  const Proof free = proof_of(problem, [](Script& me) { wait_in_a_circle(me, false); });
  EXPECT_NE(name_of(free.failure->kind), name_of(Kind::deadlock)) << describe(*free.failure);
}

}  // namespace
}  // namespace tutti
