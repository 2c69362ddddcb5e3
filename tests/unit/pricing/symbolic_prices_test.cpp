/// @file
/// Prices in symbols against simulation and closed forms at random machines: for algorithms, ranks and networks.

#include "pricing/symbolic_prices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "algorithms/catalogue.hpp"
#include "pricing/probed_runs.hpp"
#include "pricing/way_choices.hpp"
#include "schedule/record/script.hpp"
#include "topology/formats/named.hpp"

namespace tutti {
namespace {

constexpr std::uint64_t seed = 4242;

Machine random_machine(std::mt19937_64& random, Switching switching) {
  std::uniform_real_distribution<double> exponent(-2, 2);
  const auto factor = [&] { return std::pow(10, exponent(random)); };
  Machine machine{.switching = switching, .ts = 1e-6 * factor(), .tw = 1e-9 * factor()};
  if (switching == Switching::cut_through) machine.th = 1e-2 * machine.ts;
  return machine;
}

PricingRequest request_on(std::string_view words, Switching switching, Collective collective) {
  PricingRequest request{.problem = {.collective = collective, .count = 1},
                         .topology = topology_named(words),
                         .machine = {.switching = switching},
                         .algorithms = {}};
  if (switching == Switching::cut_through) request.machine.th = 1e-2 * request.machine.ts;
  request.problem.ranks = request.topology->ranks();
  request.problem.distance = collective == Collective::shift ? 2 : 0;
  if (collective == Collective::barrier) request.problem.count = 0;
  request.algorithms = fitting_algorithms(request.problem, {});
  return request;
}

double simulated(const PricingRequest& request, const Choice& choice, const Problem& problem, const Machine& machine) {
  Workload workload(choice, problem, 1);
  return simulate(workload, *request.topology, machine).seconds;
}

std::string words_of(const PricingRequest& request, const SymbolicPrice& price) {
  return request.topology->name() + ", " + std::string(name_of(request.machine.switching)) + ", " +
         std::string(name_of(request.problem.collective)) + " by " + std::string(price.algorithm->name) + ", seed " +
         std::to_string(seed);
}

// Formulas at random machines, of times that jump from one formula to another: some may lie between those looked at.
struct Jumps {
  int compared = 0;
  int missed = 0;
};

void expect_formula_is_simulated_time(const PricingRequest& request, const SymbolicPrice& price,
                                      std::mt19937_64& random, Jumps& jumps) {
  const std::string what = words_of(request, price);
  const Choice choice(*price.algorithm, price.parameters);
  Problem problem = request.problem;
  // A message that ranks and segments divide.
  if (problem.count > 0) problem.count = symbolic_count(choice, problem);
  const Machine machine = random_machine(random, request.machine.switching);
  const double time = simulated(request, choice, problem, machine);
  const double formula = seconds(price.cases, machine, static_cast<double>(problem.count));
  if (price.basis == Basis::upper_bound) {
    EXPECT_LE(time, formula * (1 + 1e-9)) << what;
  } else if (price.cases.is_greatest || price.cases.times.size() == 1) {
    EXPECT_NEAR(formula, time, 1e-9 * time) << what;
  } else {
    ++jumps.compared;
    jumps.missed += std::abs(formula - time) > 1e-9 * time ? 1 : 0;
  }
}

void expect_formulas_are_simulated_times(const std::vector<std::pair<std::string_view, Switching>>& networks) {
  std::mt19937_64 random(seed);
  Jumps jumps;
  for (const auto& [words, switching] : networks) {
    for (const Collective collective : all_collectives()) {
      const PricingRequest request = request_on(words, switching, collective);
      for (const SymbolicPrice& price : symbolic_prices(request, 1024)) {
        EXPECT_NE(price.basis, Basis::none) << words_of(request, price);
        if (price.basis == Basis::none || !price.cases.is_whole) continue;
        for (int point = 0; point < 3; ++point) expect_formula_is_simulated_time(request, price, random, jumps);
      }
    }
  }
  EXPECT_LE(jumps.missed * 20, jumps.compared);
}

TEST(SymbolicPrices, AreTheSimulatedTimesAtRandomMachines) {
  using enum Switching;
  expect_formulas_are_simulated_times({{"full:1", alpha_beta}, {"full:5", alpha_beta}, {"ring:4", store_and_forward}});
}

TEST(SymbolicPrices, AreTheSimulatedTimesOnManyNetworks) {
  using enum Switching;
  expect_formulas_are_simulated_times({{"full:2", alpha_beta},
                                       {"full:8", alpha_beta},
                                       {"ring:6", store_and_forward},
                                       {"hypercube:3", store_and_forward},
                                       {"hypercube:2", cut_through},
                                       {"linear:4", alpha_beta}});
}

// The winner's price is the least of all, at random sizes.
TEST(SymbolicPrices, HaveTheFastestAtRandomSizes) {
  std::mt19937_64 random(seed);
  for (const Collective collective : all_collectives()) {
    PricingRequest request = request_on("full:8", Switching::alpha_beta, collective);
    request.parameters.segments = 8;
    const std::vector<SymbolicPrice> prices = symbolic_prices(request, 1024);
    const std::vector<SymbolicWinner> winners = symbolic_winners(request, prices);
    ASSERT_FALSE(winners.empty());
    for (int point = 0; point < 50; ++point) {
      const Machine machine = random_machine(random, Switching::alpha_beta);
      double least = seconds(prices.front().cases, machine, 1024);
      for (const SymbolicPrice& price : prices) least = std::min(least, seconds(price.cases, machine, 1024));
      std::size_t at = 0;
      while (at + 1 < winners.size() &&
             seconds(winners[at + 1].first, machine, 1024) <= seconds(winners[at].last, machine, 1024))
        ++at;
      const SymbolicWinner& winner = winners[at];
      const double time = std::min(seconds(winner.first, machine, 1024), seconds(winner.last, machine, 1024));
      EXPECT_NEAR(time, least, 1e-9 * least) << name_of(collective) << ", seed " << seed;
    }
  }
}

TEST(SymbolicPrices, SayFromWhichSizeAnotherIsFaster) {
  PricingRequest request = request_on("full:8", Switching::alpha_beta, Collective::all_reduce);
  const std::vector<SymbolicWinner> winners = symbolic_winners(request, symbolic_prices(request, 1024));
  ASSERT_GE(winners.size(), 2u);
  EXPECT_EQ(winners[0].algorithm->name, "recursive-doubling");
  EXPECT_EQ(where(winners, 0), "m <= 12/5 ts/tw");
  EXPECT_EQ(text_of(winners[0].first), "3 (ts + tw m)");
  EXPECT_EQ(text_of(winners[1].first), "6 ts + 7/4 tw m");
}

// Two operations that are optimal in bytes make one that is, but for a factor; a tree of log p messages does not.
TEST(SymbolicPrices, SayHowFarAboveTheBoundsTheyComeAtMost) {
  for (const auto& [words, tree] : {std::pair{"full:8", 3.0}, std::pair{"full:16", 4.0}}) {
    const PricingRequest request = request_on(words, Switching::alpha_beta, Collective::broadcast);
    const std::vector<SymbolicBound> bounds = symbolic_bounds(request.problem, *request.topology, request.machine);
    for (const SymbolicPrice& price : symbolic_prices(request, 1024)) {
      const double factor = greatest_factor(price.cases, bounds, request.machine);
      EXPECT_GE(factor, 1 - 1e-9) << price.algorithm->name;
      if (price.algorithm->name == "binomial") {
        EXPECT_NEAR(factor, tree, 1e-6);
      } else if (price.algorithm->name == "scatter-all-gather-doubling") {
        EXPECT_LT(factor, 4);
      }
    }
  }
}

Schedule messages(const std::vector<std::pair<int, int>>& pairs, int ranks) {
  const Problem problem{.collective = Collective::broadcast, .ranks = ranks, .count = 64};
  const Record text = [&pairs](Script& me, const Problem&) {
    for (const auto& [from, to] : pairs) {
      if (me.rank() == from) me.send(me.message(), to);
      if (me.rank() == to) me.receive(me.message(), from);
    }
  };
  Schedule schedule{.problem = problem, .programs = {}};
  for (int rank = 0; rank < ranks; ++rank) {
    Program program;
    record_rank(text, problem, rank, program, {}, {});
    schedule.programs.push_back(std::move(program));
  }
  return schedule;
}

// Rank 0 computes before it sends, and has so many operations more for each message.
TEST(SymbolicTimes, CountWhatRanksCompute) {
  Schedule schedule = messages({{0, 1}, {0, 2}}, 3);
  Program& first = schedule.programs[0];
  Op computing{.kind = OpKind::reduce, .ends_step = true};
  computing.at = static_cast<std::uint32_t>(first.pool.size());
  computing.slices = computing.operand = computing.second = 1;
  first.pool.insert(first.pool.end(), 3, Slice{Buffer::scratch, 0, 1000});
  first.ops.insert(first.ops.begin(), computing);
  first.scratch = 1000;
  const ProbedRun run = probed_run(schedule, topology_named("full:3"), {}, {});
  EXPECT_EQ(run.m, 64);
  const TimeCases cases = time_cases(run);
  ASSERT_EQ(cases.times.size(), 1u);
  EXPECT_EQ(text_of(cases.times.front()), "2 (ts + tw m) + 1000 tc");
  EXPECT_TRUE(cases.elsewhere.empty());
}

// The lecture's fourth scenario: it depends on the ways.
TEST(OutcomesByWay, AreBothOfTheLecturesFourthScenario) {
  const TopologyPtr mesh = topology_named("mesh:3x3");
  const std::vector<WayOutcome> outcomes = outcomes_by_way(messages({{0, 8}, {4, 6}}, 9), mesh, {}, {});
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(text_of(outcomes[0].cases.times.front()), "ts + tw m");
  EXPECT_EQ(outcomes[0].most_shared, 1);
  EXPECT_EQ(text_of(outcomes[1].cases.times.front()), "ts + 2 tw m");
  EXPECT_EQ(outcomes[1].most_shared, 2);
  EXPECT_TRUE(outcomes[1].shared.has_value());
  EXPECT_EQ(outcomes[0].choices + outcomes[1].choices, 6u * 2u);
}

TEST(OutcomesByWay, AreNoneWhereThereIsOneWayAlone) {
  EXPECT_TRUE(outcomes_by_way(messages({{1, 6}, {4, 7}}, 8), topology_named("linear:8"), {}, {}).empty());
}

}  // namespace
}  // namespace tutti
