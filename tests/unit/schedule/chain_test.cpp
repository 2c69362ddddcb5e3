/// @file
/// Laws of chains: how they are recorded and played, and when, in virtual time, their senders are done.

#include <gtest/gtest.h>

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/record/stage.hpp"
#include "simulate/simulate.hpp"
#include "support/by_hand.hpp"
#include "topology/formats/named.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

using namespace testing;

std::vector<std::string> texts_of(const Program& program) {
  std::vector<std::string> texts;
  for (const Op& op : program.ops) texts.push_back(text_of(program, op));
  return texts;
}

Program folded(int rank, const std::vector<Operand>& operands, Slice into = out(0, 4)) {
  return record_rank([&](Script& me, const Problem&) { me.fold(into, operands); }, all_reduce_over(8), rank);
}

TEST(Fold, IsAChainOfTheKindsThatTheOperandsAskFor) {
  const Operand own{.mine = {in(0, 4)}};
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts_of(folded(0, {own})), (Texts{"copy output[0..4) = input[0..4)"}));
  EXPECT_EQ(texts_of(folded(0, {{.from = 3}})), (Texts{"receive output[0..4) from 3"}));
  EXPECT_EQ(texts_of(folded(0, {own, own, own})), (Texts{"reduce output[0..4) = input[0..4) ∘ input[0..4)",
                                                         "then reduce output[0..4) = output[0..4) ∘ input[0..4)"}));
  EXPECT_EQ(texts_of(folded(0, {own, {.from = 1}, {.from = 2}})),
            (Texts{"receive output[0..4) = input[0..4) ∘ message from 1",
                   "then receive output[0..4) = output[0..4) ∘ message from 2"}));
  EXPECT_EQ(texts_of(folded(1, {{.from = 0}, own, {.from = 2}})),
            (Texts{"receive output[0..4) = message ∘ input[0..4) from 0",
                   "then receive output[0..4) = output[0..4) ∘ message from 2"}));
  EXPECT_EQ(texts_of(folded(2, {{.from = 0}, {.from = 1}, own})),
            (Texts{"receive output[0..4) from 0", "then receive output[0..4) = output[0..4) ∘ message from 1",
                   "then reduce output[0..4) = output[0..4) ∘ input[0..4)"}));
  EXPECT_TRUE(folded(2, {{.from = 0}, own}, out(0, 0)).ops.empty());
}

TEST(Chain, BeginsAnewAfterAnEmptyFirstOperation) {
  const Program program = record_rank(
      [](Script& me, const Problem&) {
        me.send(me.input(), 1);
        me.chain([&] {
          me.copy(out(0, 4), out(0, 4));
          me.receive(out(0, 2), 1);
          me.receive(out(0, 0), 1);
          me.receive(out(2, 2), 1);
        });
        me.receive(out(0, 0), 1);
        me.copy(out(0, 4), in(0, 4));
      },
      all_reduce_2, 0);
  ASSERT_EQ(program.ops.size(), 4u);
  const std::vector<bool> chained{program.ops[0].chained, program.ops[1].chained, program.ops[2].chained,
                                  program.ops[3].chained};
  EXPECT_EQ(chained, (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(program.chain_end(0), 1u);
  EXPECT_EQ(program.chain_end(1), 3u);
  EXPECT_EQ(program.chain_end(3), 4u);
}

TEST(Chain, IsPlayedAsAChainByStages) {
  const Record fold_all = [](Script& me, const Problem&) {
    send_to_all(me);
    me.fold(me.output(), all_inputs(me));
  };
  for (int p = 1; p <= 6; ++p) {
    const Problem problem = all_reduce_over(p);
    const Schedule staged = record_all(
        [&](Script& me, const Problem& whole) {
          Stage stage = stage_of_all(me, whole);
          stage.input = {in(0, 2), in(2, 2)};
          stage.output = {me.output()};
          perform(me, fold_all, stage);
        },
        problem);
    EXPECT_EQ(text_of(staged), text_of(record_all(fold_all, problem)));
  }
}

TEST(Chain, HasNoDual) {
  const Algorithm chained{.collective = Collective::all_gather, .record = [](Script& me, const Problem&) {
                            me.send(me.input(), 1 - me.rank());
                            me.chain([&] {
                              me.receive(me.output(1 - me.rank()), 1 - me.rank());
                              me.copy(me.output(me.rank()), me.input());
                            });
                          }};
  EXPECT_TRUE(verify(record_all(chained.record, all_gather_2)).proved());
  try {
    record_rank(dual(chained), {.collective = Collective::reduce_scatter, .ranks = 2, .count = 4}, 0);
    FAIL() << "a dual of a chain";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(error.what()).find("then copy output[0..4) = input[0..4)"), std::string::npos);
  }
}

TEST(ChainSimulation, ASendThatWaitsForAChainCanCloseACircle) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 3, .count = 4};
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    for (const bool chained : {false, true}) {
      Workload workload([&](Script& me, const Problem&) { wait_in_a_circle(me, chained); }, problem, 1);
      const auto run = [&] { return simulate(workload, *topology_named("full:3"), {}, {.engine = engine}); };
      if (!chained) {
        EXPECT_EQ(run().messages, 3);
        continue;
      }
      try {
        run();
        ADD_FAILURE() << "a simulated deadlock ends";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::unsupported);
        EXPECT_NE(std::string(error.what()).find("rank 0 for rank 1, rank 1 for rank 2, rank 2 for rank 0"),
                  std::string::npos)
            << error.what();
      }
    }
  }
}

TEST(ChainSimulation, ASenderIsDoneWhenTheChainHasComeToItsMessage) {
  // Rank 2's message is there after one message time; rank 1's begins when rank 1 has been sent one by rank 3.
  const Problem problem{.collective = Collective::all_gather, .ranks = 4, .count = 1000};
  const Machine machine{.ports = Ports::multiple, .ts = 0, .tw = 1e-9};
  for (const bool chained : {false, true}) {
    Workload workload(
        [&](Script& me, const Problem&) {
          const auto receive_both = [&] {
            me.receive(me.output(1), 1);
            me.receive(me.output(2), 2);
          };
          if (me.rank() == 0) chained ? me.chain(receive_both) : receive_both();
          if (me.rank() == 1) {
            me.receive(me.output(3), 3);
            me.wait();
          }
          if (me.rank() == 3) me.send(me.input(), 1);
          if (me.rank() == 1 || me.rank() == 2) me.send(me.input(), 0);
        },
        problem, 1);
    const Simulation result = simulate(workload, *topology_named("full:4"), machine, {});
    EXPECT_NEAR(result.finished[0], 2e-6, 1e-15);
    EXPECT_NEAR(result.finished[1], 2e-6, 1e-15);
    EXPECT_NEAR(result.finished[2], chained ? 2e-6 : 1e-6, 1e-15);
  }
}

}  // namespace
}  // namespace tutti
