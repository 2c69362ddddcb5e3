/// @file
/// Predictions of calls whose ranks share cores, and their caches.

#include <gtest/gtest.h>

#include "plan/choice.hpp"
#include "unit/predict/plain_costs.hpp"

namespace tutti {
namespace {

using algorithms::fitting;
using test::cores;
using test::nothing;
using test::price;

TEST(MachineModel, OfTurnsCountsRanksThatRunOneAfterTheOther) {
  const int ranks = 2 * cores;  // two on each core
  MachineCosts costs = nothing();
  costs.turn = 1;
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_gather, "linear", ranks), 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_reduce, "direct", ranks), 2 * 2);
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_reduce, "reduce-broadcast", ranks), 2 * 4) << "there and back";
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", ranks), stalled_part * 2)
      << "the root runs ahead but for stalls";
  costs.short_bytes = 10;
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "linear", ranks), 2 * 2) << "the root waits until it was read";
  EXPECT_DOUBLE_EQ(price(costs, Collective::broadcast, "binomial", ranks), 2 * 4) << "and then sends again";
}

// Predictions are of rows of calls; the caches of one call by itself are not known.
TEST(MachineModel, OfBytesIsLessWhileTheDataOfCallsStayInTheCaches) {
  MachineCosts costs = nothing();
  costs.byte = 1;
  costs.near = 0.25;
  costs.near_bytes = 3000;  // an all-gather of two ranks has 3 blocks on each
  costs.short_bytes = 0;
  const auto of_block = [&](std::int64_t count) {
    return price(costs, Collective::all_gather, "linear", 2, count) / static_cast<double>(count);
  };
  EXPECT_DOUBLE_EQ(of_block(1), 0.25);
  EXPECT_DOUBLE_EQ(of_block(1000), 0.25);
  EXPECT_DOUBLE_EQ(of_block(1500), 0.625) << "half way";
  EXPECT_DOUBLE_EQ(of_block(2000), 1);
  EXPECT_DOUBLE_EQ(of_block(1'000'000), 1);
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_gather, "linear", 2 * cores, 500) / 500, 2 * 3 * 0.75)
      << "two ranks of a core share its caches, with 5 blocks each, of which 3 are read";
  const Problem problem{.collective = Collective::all_gather, .ranks = 2, .count = 1000};
  EXPECT_DOUBLE_EQ(MachineModel(costs, cores).seconds_once(fitting(problem, "linear"), problem, 1), 1000);
}

// Adding elements takes as long wherever they are.
TEST(MachineModel, OfCombiningIsAlikeInTheCachesAndBeyond) {
  MachineCosts costs = nothing();
  costs.combine_byte = 1;
  costs.near = 0.25;
  costs.near_bytes = 3000;
  costs.short_bytes = 0;
  const auto of_element = [&](std::int64_t count) {
    return price(costs, Collective::reduce, "linear", 2, count) / static_cast<double>(count);
  };
  EXPECT_DOUBLE_EQ(of_element(10), of_element(100'000));
  EXPECT_GT(of_element(10), 0);
}

TEST(MachineModel, OfBytesIsLessWhereEveryRankHasACoreOfItsOwn) {
  MachineCosts costs = nothing();
  costs.byte = 1;
  costs.alone = 0.5;
  costs.short_bytes = 0;
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_gather, "linear", cores), 500);
  EXPECT_DOUBLE_EQ(price(costs, Collective::all_gather, "linear", 2 * cores), 2 * 3 * 1000);
  const Problem problem{.collective = Collective::all_gather, .ranks = cores, .count = 1000};
  EXPECT_DOUBLE_EQ(MachineModel(costs, cores).seconds_once(fitting(problem, "linear"), problem, 1), 500);
}

// The law holds both where schedules are played and where they are estimated.
TEST(MachineModel, OfRowsGoesByTheChainOfRanksThatRunAhead) {
  MachineCosts costs = nothing();
  costs.turn = 1;
  for (const int ranks : {4, 8, 16, 64}) {
    const auto of = [&](Collective collective, std::string_view algorithm) {
      return price(costs, collective, algorithm, ranks);
    };
    const double one_turn = stalled_part * ranks / cores;
    EXPECT_DOUBLE_EQ(of(Collective::broadcast, "linear"), one_turn) << ranks;
    EXPECT_DOUBLE_EQ(of(Collective::reduce, "linear"), one_turn) << ranks;
    EXPECT_GT(of(Collective::broadcast, "binomial"), one_turn) << ranks;
    EXPECT_GT(of(Collective::reduce, "binomial"), one_turn) << ranks;
    if (ranks > 4) {
      EXPECT_GT(of(Collective::scan, "chain"), of(Collective::scan, "dissemination")) << ranks;
    }
  }
}

TEST(MachineModel, OfManyRanksOfACoreIsDearerByEachDoubling) {
  MachineCosts costs = nothing();
  costs.turn = 1;
  costs.crowded_turn = 0.5;
  const auto turn_of = [&](int ranks_of_a_core) {
    return price(costs, Collective::all_gather, "linear", ranks_of_a_core * cores) / ranks_of_a_core;
  };
  for (const int few : {2, 3, 4}) EXPECT_DOUBLE_EQ(turn_of(few), 1) << few;
  EXPECT_DOUBLE_EQ(turn_of(8), 1.5);
  EXPECT_DOUBLE_EQ(turn_of(32), 2.5);
  costs.turn = 0;
  costs.overhead = 1;
  costs.crowded_overhead = 0.5;
  const auto overhead_of = [&](int ranks_of_a_core) {
    const int ranks = ranks_of_a_core * cores;
    return price(costs, Collective::all_gather, "linear", ranks) * cores / (2 * ranks * (ranks - 1));
  };
  EXPECT_DOUBLE_EQ(overhead_of(2), 1);
  EXPECT_DOUBLE_EQ(overhead_of(4), 1.5);
  EXPECT_DOUBLE_EQ(overhead_of(16), 2.5);
}

}  // namespace
}  // namespace tutti
