/// @file
/// What a call is predicted to take: laws of the model, with constants in which each cost stands out.

#include <gtest/gtest.h>

#include "algorithms/catalogue.hpp"
#include "predict/machine_model.hpp"

namespace tutti {
namespace {

using algorithms::fitting;

/// All costs that the model knows are nothing, but those that a test sets.
MachineCosts nothing() {
  return {.call = 0,
          .latency = 0,
          .overhead = 0,
          .rendezvous = 0,
          .short_byte = 0,
          .byte = 0,
          .combine_byte = 0,
          .copy_byte = 0,
          .turn = 0,
          .short_bytes = 1 << 20,
          .help = Help::none};
}

constexpr int cores = 2;

double price(const MachineCosts& costs, Collective collective, std::string_view algorithm, int ranks,
             std::int64_t count = 1000) {
  const Problem problem{.collective = collective, .ranks = ranks, .count = count};
  return MachineModel(costs, cores).seconds(fitting(problem, algorithm), problem, 1);
}

TEST(MachineModel, OfCallsThatRunAheadIsHardlyTheirLatency) {
  MachineCosts costs = nothing();
  costs.latency = 1;
  EXPECT_LT(price(costs, Collective::broadcast, "binomial", 2), 0.5);
  EXPECT_LT(price(costs, Collective::scan, "chain", 2), 0.5);
  EXPECT_GE(price(costs, Collective::all_gather, "linear", 2), 1);
  EXPECT_GE(price(costs, Collective::all_reduce, "reduce-broadcast", 2), 2);
}

TEST(MachineModel, OfMessagesThatKeepTheirSenderIsTheirLatency) {
  MachineCosts costs = nothing();
  costs.latency = 1;
  costs.short_bytes = 10;
  EXPECT_GE(price(costs, Collective::broadcast, "binomial", 2), 2);  // to the reader, and back that it was read
}

TEST(MachineModel, OfASecondMessageBetweenTwoRanksWaitsForTheFirst) {
  MachineCosts costs = nothing();
  costs.latency = 1;
  const Problem problem{.collective = Collective::broadcast, .ranks = 2, .count = 1000};
  const Choice chain(fitting(problem, "chain"), {.segments = 5});
  EXPECT_GE(MachineModel(costs, cores).seconds(chain, problem, 1), 5 + 4);
}

TEST(MachineModel, OfAnIdleSendersHelpIsHalfTheBytes) {
  MachineCosts costs = nothing();
  costs.byte = 1;
  costs.short_bytes = 10;
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", 2), 1000);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "linear", 2), 1000);
  costs.help = Help::with_copies;
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", 2), 500);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "linear", 2), 1000);
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_gather, "linear", 2), 1000) << "both have a message to read";
  costs.help = Help::with_all;
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "linear", 2), 500);
}

TEST(MachineModel, OfCombiningCountsOnceAFold) {
  MachineCosts costs = nothing();
  costs.combine_byte = 1;
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 2), 0) << "short messages are combined as they are read";
  costs.short_bytes = 10;
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 2), 1000);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 5), 1000);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "linear", 5), 4 * 1000) << "one rank after the other";
}

TEST(MachineModel, OfTurnsCountsStepsThatTakeMessages) {
  const int ranks = 2 * cores;  // two on each core
  MachineCosts costs = nothing();
  costs.turn = 1;
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_gather, "linear", ranks), 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_reduce, "direct", ranks), 2 * 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", ranks), 0) << "the root runs ahead";
  costs.short_bytes = 10;
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", ranks), 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "binomial", ranks), 2)
      << "steps that only send hand nothing over";
}

TEST(MachineModel, OfNothingToSendIsNothing) {
  MachineCosts costs = nothing();
  costs.call = costs.latency = costs.overhead = 1;
  EXPECT_EQ(price(costs, Collective::all_reduce, "ring", 1), 0);
}

}  // namespace
}  // namespace tutti
