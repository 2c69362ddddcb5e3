/// @file
/// Predicted times of a call: laws of the model, with constants in which each cost stands out.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "base/transport.hpp"
#include "plan/choice.hpp"
#include "predict/model/machine_model.hpp"
#include "unit/predict/plain_costs.hpp"

namespace tutti {
namespace {

using algorithms::fitting;
using test::cores;
using test::nothing;
using test::price;

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

TEST(MachineModel, OfMessagesCombinedAtOnceWritesOneResult) {
  MachineCosts costs = nothing();
  costs.byte = 1;
  costs.further = 0.25;
  costs.short_bytes = 10;
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 2), 1000);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "flat", 5), 1000 + 3 * 250);
  EXPECT_DOUBLE_EQ(price(costs, Collective::reduce, "linear", 5), 4 * 1000) << "four results one after the other";
}

// Choices that are too dear already by their bound are not played: see choose().
TEST(MachineModel, TakesNoLessThanWhatNeedsNoRecording) {
  int found_some = 0;
  for (const MachineCosts* costs : {&threads_costs, &processes_costs, &mpi_costs}) {
    for (const int cores_here : {1, 3, 64}) {
      const MachineModel model(*costs, cores_here);
      for (const Collective collective : all_collectives()) {
        for (const int ranks : {1, 2, 3, 5, 8}) {
          for (const std::int64_t count : {0, 1, 7, 1000, 100'000}) {
            Problem problem{.collective = collective, .ranks = ranks, .count = count, .root = ranks / 2};
            if (!has_root(collective)) problem.root = 0;
            if (collective == Collective::barrier) problem.count = 0;
            if (collective == Collective::shift) problem.distance = 1;
            for (const Algorithm* algorithm : candidates_for(problem, Layout{})) {
              const double least = model.at_least(*algorithm, problem, 8);
              found_some += least > 0 ? 1 : 0;
              EXPECT_LE(least, model.seconds(*algorithm, problem, 8) * (1 + 1e-9))
                  << describe(problem) << " by " << algorithm->name << " on " << cores_here << " cores";
            }
          }
        }
      }
    }
  }
  EXPECT_GT(found_some, 1000);
}

// Up to the room that a pair of so many ranks has, a message leaves its sender at once.
TEST(MachineModel, OfShortMessagesKnowsTheRoomThatRanksHave) {
  MachineCosts costs = nothing();
  costs.rendezvous = 1;
  costs.in_cells = true;
  for (const int ranks : {2, 3, 4, 6, 8}) {
    const std::int64_t longest = longest_short_message(ranks);
    EXPECT_EQ(price(costs, Collective::all_gather, "ring", ranks, longest), 0) << ranks;
    EXPECT_GE(price(costs, Collective::all_gather, "ring", ranks, longest + 1), ranks - 1) << ranks;
  }
  EXPECT_LT(longest_short_message(8), longest_short_message(2));
}

/// Returns a layout with as many ranks on each of as many nodes.
Layout even_nodes(int nodes, int ranks_on) {
  return Layout::of_nodes(std::vector<int>(static_cast<std::size_t>(nodes), ranks_on));
}

double price_over(const Layout& layout, const MachineCosts& inside, const MachineCosts& between, Collective collective,
                  std::string_view algorithm, std::int64_t count = 1000) {
  const Problem problem{.collective = collective, .ranks = layout.size(), .count = count};
  return MachineModel(inside, between, layout.size(), layout).seconds(fitting(problem, algorithm, layout), problem, 1);
}

TEST(MachineModel, OfShortMessagesGoesByTheRanksOfANode) {
  MachineCosts costs = nothing();
  costs.rendezvous = 1;
  costs.in_cells = true;
  const auto of_bytes = [&](std::int64_t bytes) {
    return price_over(even_nodes(4, 2), costs, nothing(), Collective::all_gather, "ring", bytes);
  };
  EXPECT_EQ(of_bytes(longest_short_message(2)), 0);
  EXPECT_GT(of_bytes(longest_short_message(2) + 1), 0);
}

// Both where schedules are played and where they are estimated.
TEST(MachineModel, OfMessagesBetweenNodesIsWhatTheseCost) {
  MachineCosts between = nothing();
  between.latency = 1;
  for (const int ranks_on : {2, 4, 8, 16}) {
    const Layout layout = even_nodes(4, ranks_on);
    const double by_leaders = price_over(layout, nothing(), between, Collective::all_reduce, "leaders");
    EXPECT_GE(by_leaders, 2) << ranks_on;
    EXPECT_LE(by_leaders, layout.size() > MachineModel::most_played_ranks ? 2.5 : 2) << ranks_on;
    EXPECT_GE(price_over(layout, nothing(), between, Collective::all_reduce, "ring"), 2 * 3) << ranks_on;
    EXPECT_EQ(price_over(layout, between, nothing(), Collective::all_gather, "linear"), 1) << ranks_on;
  }
}

// Elements that all ranks get have come from every node, however few of the ring's parts have elements.
TEST(MachineModel, OfWhatAllRanksGetIsAMessageBetweenNodesAtLeast) {
  MachineCosts between = nothing();
  between.latency = 1;
  for (const auto& [nodes, ranks_on] : {std::pair(2, 2), {4, 4}, {3, 5}, {2, 16}, {8, 4}}) {
    const Layout layout = even_nodes(nodes, ranks_on);
    for (const Collective collective : {Collective::all_reduce, Collective::all_gather, Collective::all_to_all}) {
      const Problem problem{.collective = collective, .ranks = layout.size(), .count = 1};
      const MachineModel model(nothing(), between, layout.size(), layout);
      for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
        if (unmet_need(*algorithm, problem, layout)) continue;
        EXPECT_GE(model.seconds(*algorithm, problem, 1), 1) << algorithm->name << ", " << describe(problem);
      }
    }
  }
}

// All ranks of a node send over its link: what crosses it counts, whoever sends.
TEST(MachineModel, OfTheLinkOfANodeIsAllThatCrossesIt) {
  MachineCosts between = nothing();
  between.link_byte = 1;
  for (const int ranks_on : {2, 4, 8, 16}) {
    const Layout layout = even_nodes(2, ranks_on);
    const std::int64_t m = 64 * ranks_on;
    const auto all_reduce = [&](std::string_view algorithm) {
      return price_over(layout, nothing(), between, Collective::all_reduce, algorithm, m);
    };
    EXPECT_DOUBLE_EQ(all_reduce("leaders"), static_cast<double>(m));
    EXPECT_DOUBLE_EQ(all_reduce("multi-leader"), static_cast<double>(m));
    EXPECT_DOUBLE_EQ(all_reduce("recursive-doubling"), static_cast<double>(m * ranks_on));
  }
}

// Rank k of a ring sends to one rank and receives from another; pairs of recursive doubling exchange.
TEST(MachineModel, OfAnExchangeBetweenNodesIsWhatBothWaysAtOnceCost) {
  MachineCosts one_way = nothing();
  one_way.byte = 1;
  one_way.short_bytes = 0;
  MachineCosts both_ways = one_way;
  both_ways.exchange = 2;
  for (const int nodes : {4, 8, 16, 64}) {
    const auto times = [&](const Layout& layout, std::string_view algorithm) {
      const auto of = [&](const MachineCosts& between) {
        return price_over(layout, one_way, between, Collective::all_reduce, algorithm, 64 * nodes);
      };
      return of(both_ways) / of(one_way);
    };
    EXPECT_NEAR(times(even_nodes(nodes, 1), "recursive-doubling"), 2, 1e-9) << nodes;
    EXPECT_NEAR(times(even_nodes(nodes, 1), "ring"), 1, 1e-9) << nodes;
    EXPECT_NEAR(times(even_nodes(1, nodes), "recursive-doubling"), 1, 1e-9) << nodes;
  }
}

// A program's own algorithm may claim nothing.
TEST(MachineModel, PricesAlgorithmsWithoutClaimsAlike) {
  for (const int ranks : {1, 2, 7, 24}) {
    const Problem problem{.collective = Collective::all_reduce, .ranks = ranks, .count = 4000};
    for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
      if (unmet_need(*algorithm, problem)) continue;
      Algorithm own = *algorithm;
      own.claims = {};
      const MachineModel model(processes_costs, cores);
      EXPECT_DOUBLE_EQ(model.seconds(own, problem, 8), model.seconds(*algorithm, problem, 8)) << algorithm->name;
      EXPECT_DOUBLE_EQ(model.at_least(own, problem, 8), model.at_least(*algorithm, problem, 8)) << algorithm->name;
    }
  }
}

TEST(MachineModel, OnOneNodeKnowsNothingOfWhatIsBetween) {
  for (const Collective collective : all_collectives()) {
    for (const int ranks : {2, 5, 8, 9, 16}) {
      Problem problem{.collective = collective, .ranks = ranks, .count = 4000, .distance = 1};
      const MachineModel flat(processes_costs, cores);
      const MachineModel model(processes_costs, mpi_costs, cores, Layout::of_nodes(std::vector<int>{ranks}));
      for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
        if (unmet_need(*algorithm, problem)) continue;
        EXPECT_EQ(model.seconds(*algorithm, problem, 8), flat.seconds(*algorithm, problem, 8)) << algorithm->name;
      }
      EXPECT_FALSE(choose(problem, {}, 8, model).algorithm->for_several_nodes) << describe(problem);
    }
  }
}

// By leaders where messages between nodes are dear, by flat algorithms where they are not. With latency alone a
// binomial broadcast is the times of its path: a late leaf delays only itself, a late inner rank those below it, and a
// late root all.
TEST(UnevenModel, DelaysThoseWhoWaitForTheLate) {
  MachineCosts costs = nothing();
  costs.latency = 1;
  const MachineModel machine(costs, 8);
  const Problem problem{.collective = Collective::broadcast, .ranks = 4, .count = 1};
  const Algorithm& binomial = fitting(problem, "binomial");  // 0 -> 2 -> 3, 0 -> 1
  const auto late = [&](int rank, double seconds) {
    std::vector<double> starts(4, 0);
    starts[static_cast<std::size_t>(rank)] = seconds;
    return UnevenModel(machine, starts).seconds(binomial, problem, 1);
  };
  EXPECT_DOUBLE_EQ(late(0, 0), 2);
  EXPECT_DOUBLE_EQ(late(0, 5), 7);
  EXPECT_DOUBLE_EQ(late(2, 0.5), 2) << "it comes before its message";
  EXPECT_DOUBLE_EQ(late(2, 5), 6);
  EXPECT_DOUBLE_EQ(late(3, 1.5), 2);
  EXPECT_DOUBLE_EQ(late(3, 5), 5);
}

// The call is one of the even machine if nobody is late, and a later rank makes nothing earlier.
TEST(UnevenModel, IsOneCallWhereAllComeTogether) {
  const MachineModel machine(threads_costs, 4);
  for (const Collective collective : all_collectives()) {
    Problem problem{.collective = collective, .ranks = 5, .count = 300};
    if (collective == Collective::barrier) problem.count = 0;
    if (collective == Collective::shift) problem.distance = 1;
    for (const Algorithm* algorithm : candidates_for(problem, Layout{})) {
      double last = machine.seconds_once(*algorithm, problem, 8);
      EXPECT_DOUBLE_EQ(UnevenModel(machine, std::vector<double>(5, 0)).seconds(*algorithm, problem, 8), last);
      for (const double late : {1e-6, 1e-5, 1e-4}) {
        const double seconds = UnevenModel(machine, {0, late, 0, 0, 0}).seconds(*algorithm, problem, 8);
        EXPECT_GE(seconds, last * (1 - 1e-9)) << algorithm->name;
        EXPECT_GE(seconds, late);
        last = seconds;
      }
    }
  }
}

TEST(UnevenModel, HasNoBoundBeforeTheLastRankComes) {
  const MachineModel machine(threads_costs, 4);
  for (const Collective collective : all_collectives()) {
    const Problem problem{.collective = collective, .ranks = 5, .count = collective == Collective::barrier ? 0 : 300};
    EXPECT_GE(UnevenModel(machine, {0, 0, 0, 1, 0}).bound(problem, 8), 1) << name_of(collective);
  }
}

TEST(MachineModel, OfCallsWithoutMessagesIsWhatAllRanksSpendInARowAndOnce) {
  for (const int ranks : {2, 3, 4, 9, 40}) {
    for (const Collective collective : all_collectives()) {
      if (collective == Collective::barrier) continue;
      const Problem problem{.collective = collective, .ranks = ranks, .count = 0, .distance = 1};
      const MachineModel machine(threads_costs, cores);
      for (const Algorithm* algorithm : candidates_for(problem, Layout{})) {
        const double seconds = machine.seconds(*algorithm, problem, 8);
        EXPECT_DOUBLE_EQ(seconds, threads_costs.call * ranks / cores) << describe(problem) << " by " << algorithm->name;
        EXPECT_DOUBLE_EQ(seconds, machine.seconds_once(*algorithm, problem, 8));
      }
    }
  }
}

TEST(Choice, BetweenFlatAndHierarchicalIsThePrices) {
  MachineCosts far = mpi_costs;
  far.latency = 20e-6;
  far.overhead = 2e-6;
  int hierarchical = 0;
  for (const int ranks_on : {2, 8}) {
    const Layout layout = even_nodes(4, ranks_on);
    const int p = layout.size();
    for (const Collective collective : all_collectives()) {
      for (const std::int64_t count : {1, 1000, 1'000'000}) {
        Problem problem{.collective = collective, .ranks = p, .count = count, .distance = 1};
        const MachineModel model(processes_costs, far, p, layout);
        const Choice chosen = choose(problem, {}, 8, model);
        if (chosen.algorithm->for_several_nodes) ++hierarchical;
        const double price = model.seconds(chosen, problem, 8);
        for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
          if (unmet_need(*algorithm, problem, layout)) continue;
          const double other = model.seconds(*algorithm, problem, 8);
          EXPECT_FALSE(is_cheaper(other, price)) << describe(problem) << " by " << algorithm->name;
        }
      }
    }
  }
  EXPECT_GT(hierarchical, 10);
}

TEST(MachineModel, OfNothingToSendIsNothing) {
  MachineCosts costs = nothing();
  costs.call = costs.latency = costs.overhead = 1;
  EXPECT_EQ(price(costs, Collective::all_reduce, "ring", 1), 0);
}

}  // namespace
}  // namespace tutti
