/// @file
/// What a call is predicted to take on a transport: laws of the model, with constants in which each cost stands out.

#include <gtest/gtest.h>

#include "algorithms/catalogue.hpp"
#include "runtime/patience.hpp"
#include "runtime/price.hpp"

namespace tutti::runtime {
namespace {

using algorithms::fitting;

/// All costs that the model knows are nothing, but those that a test sets.
Costs nothing() {
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

double price(const Costs& costs, Collective collective, std::string_view algorithm, int ranks,
             std::int64_t count = 1000) {
  const Problem problem{.collective = collective, .ranks = ranks, .count = count};
  return price_of(costs)(fitting(problem, algorithm), problem, 1);
}

TEST(Price, OfCallsThatRunAheadIsHardlyTheirLatency) {
  Costs costs = nothing();
  costs.latency = 1;
  EXPECT_LT(price(costs, Collective::broadcast, "binomial", 2), 0.5);
  EXPECT_LT(price(costs, Collective::scan, "chain", 2), 0.5);
  EXPECT_GE(price(costs, Collective::all_gather, "linear", 2), 1);
  EXPECT_GE(price(costs, Collective::all_reduce, "reduce-broadcast", 2), 2);
}

TEST(Price, OfMessagesThatKeepTheirSenderIsTheirLatency) {
  Costs costs = nothing();
  costs.latency = 1;
  costs.short_bytes = 10;
  EXPECT_GE(price(costs, Collective::broadcast, "binomial", 2), 2);  // to the reader, and back that it was read
}

TEST(Price, OfASecondMessageBetweenTwoRanksWaitsForTheFirst) {
  Costs costs = nothing();
  costs.latency = 1;
  const Problem problem{.collective = Collective::broadcast, .ranks = 2, .count = 1000, .segments = 5};
  EXPECT_GE(price_of(costs)(fitting(problem, "chain"), problem, 1), 5 + 4);
}

TEST(Price, OfAnIdleSendersHelpIsHalfTheBytes) {
  if (Patience::cores() < 2) GTEST_SKIP() << "two ranks on one core cannot help each other";
  Costs costs = nothing();
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

TEST(Price, OfCombiningCountsOnceAFold) {
  Costs costs = nothing();
  costs.combine_byte = 1;
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 2), 0) << "short messages are combined as they are read";
  costs.short_bytes = 10;
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 2), 1000);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 5), 1000);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "linear", 5), 4 * 1000) << "one rank after the other";
}

TEST(Price, OfTurnsCountsStepsThatTakeMessages) {
  const int ranks = 2 * Patience::cores();  // two on each core
  Costs costs = nothing();
  costs.turn = 1;
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_gather, "linear", ranks), 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_reduce, "direct", ranks), 2 * 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", ranks), 0) << "the root runs ahead";
  costs.short_bytes = 10;
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", ranks), 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "binomial", ranks), 2)
      << "steps that only send hand nothing over";
}

TEST(Price, OfNothingToSendIsNothing) {
  Costs costs = nothing();
  costs.call = costs.latency = costs.overhead = 1;
  EXPECT_EQ(price(costs, Collective::all_reduce, "ring", 1), 0);
}

}  // namespace
}  // namespace tutti::runtime
