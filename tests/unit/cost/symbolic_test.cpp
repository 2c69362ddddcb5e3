/// @file
/// Times in symbols: their text, what decides between two, formulas found by probing, and bounds as formulas.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cost/symbolic/symbolic_bounds.hpp"
#include "cost/symbolic/time_cases.hpp"
#include "topology/formats/named.hpp"

namespace tutti {
namespace {

constexpr std::uint64_t seed = 411;

Rational whole(std::int64_t number) { return {number, 1}; }

Machine random_machine(std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-4, 4);
  const auto factor = [&] { return std::pow(10, exponent(random)); };
  return {.ts = 1e-6 * factor(), .tw = 1e-9 * factor(), .th = 1e-7 * factor(), .tc = 1e-10 * factor()};
}

TEST(Rational, IsTheSimplestThatIsNear) {
  EXPECT_EQ(rational_near(1.75, 1e-9), (Rational{7, 4}));
  EXPECT_EQ(rational_near(0, 1e-9), whole(0));
  EXPECT_EQ(rational_near(-2.5, 1e-9), (Rational{-5, 2}));
  EXPECT_EQ(rational_near(1e9, 1e-3), whole(1'000'000'000));
  EXPECT_EQ(rational_near(0.33333, 1e-4), (Rational{1, 3}));
  EXPECT_EQ(rational_near(2 - 1e-12, 1e-9), whole(2));
  EXPECT_FALSE(rational_near(3.14159265358979, 1e-15));
  for (std::int64_t denominator = 1; denominator < 300; ++denominator) {
    for (std::int64_t numerator = 1; numerator < 2 * denominator; numerator += 7) {
      const Rational expected = fraction(numerator, denominator);
      EXPECT_EQ(rational_near(expected.value(), 1e-12), expected) << text_of(expected);
    }
  }
}

TEST(SymbolicTime, IsPrintedAsTheTextbookPrintsIt) {
  EXPECT_EQ(text_of(SymbolicTime{}), "0");
  EXPECT_EQ(text_of(SymbolicTime{.starts = whole(1), .sizes = whole(1)}), "ts + tw m");
  EXPECT_EQ(text_of(SymbolicTime{.starts = whole(1), .sizes = whole(2)}, {"a", "b", "n"}), "a + 2 b n");
  EXPECT_EQ(text_of(SymbolicTime{.starts = whole(3), .sizes = whole(3), .hops = whole(7)}), "3 (ts + tw m) + 7 th");
  EXPECT_EQ(text_of(SymbolicTime{.starts = whole(6), .sizes = {7, 4}}), "6 ts + 7/4 tw m");
  EXPECT_EQ(text_of(SymbolicTime{.starts = whole(1), .sizes = whole(1), .bytes = whole(6)}), "ts + tw (m + 6)");
  EXPECT_EQ(text_of(SymbolicTime{.starts = whole(1), .hops = whole(-2), .operations = whole(1000)}),
            "ts - 2 th + 1000 tc");
  EXPECT_EQ(text_of(SymbolicTime{.starts = whole(1), .seconds = 2e-6}), "ts + 2us");
}

TEST(SymbolicTime, RenamesTheSymbolsOfFormulasAlone) {
  EXPECT_EQ(renamed("(p - 1)(ts + tw m/p), m <= ts_min", {"a", "b", "n"}), "(p - 1)(a + b n/p), n <= ts_min");
  EXPECT_EQ(renamed("ceil(log2 p)(ts + tw m)", {}), "ceil(log2 p)(ts + tw m)");
}

TEST(SymbolicTime, SaysWhatDecidesBetweenTwo) {
  const SymbolicTime chain{.starts = whole(3), .sizes = whole(3)};
  const SymbolicTime large{.starts = whole(1), .sizes = whole(64)};
  EXPECT_EQ(where_not_below(large, chain), "m >= 2/61 ts/tw");
  EXPECT_EQ(where_not_below(chain, large, {"a", "b", "n"}), "n <= 2/61 a/b");
  EXPECT_EQ(where_not_below(chain, chain), "always");
  EXPECT_EQ(where_not_below(chain, SymbolicTime{.starts = whole(4), .sizes = whole(3)}), "never");
  const SymbolicTime hops{.sizes = whole(3), .hops = whole(5)};
  EXPECT_EQ(where_not_below(chain, hops), "3 ts >= 5 th");
  EXPECT_EQ(simplified(chain), "~ 3 ts where m ≪ ts/tw; ~ 3 tw m where m ≫ ts/tw");
  EXPECT_EQ(simplified(SymbolicTime{.starts = whole(3)}), "");
}

// Random sums of random terms, and the greatest of several.
SymbolicTime random_time(std::mt19937_64& random) {
  const auto factor = [&](std::int64_t most) {
    return fraction(std::uniform_int_distribution<std::int64_t>(1, most)(random),
                    std::uniform_int_distribution<std::int64_t>(1, 16)(random));
  };
  return {.starts = factor(64), .sizes = factor(200), .hops = factor(20), .combined = factor(40)};
}

ProbedRun greatest_of(const std::vector<SymbolicTime>& times, double m) {
  return {.time =
              [times, m](const Machine& machine, int scale) {
                double greatest = 0;
                for (const SymbolicTime& time : times) greatest = std::max(greatest, seconds(time, machine, m * scale));
                return greatest;
              },
          .machine = {.ts = 1e-6, .tw = 1e-9, .th = 1e-8, .tc = 1e-10},
          .m = m};
}

std::string in_words(const TimeCases& cases) {
  std::string words;
  for (const auto* list : {&cases.times, &cases.elsewhere}) {
    for (const SymbolicTime& time : *list) words += (words.empty() ? "" : "; ") + text_of(time);
  }
  return words;
}

TEST(TimeCases, AreTheFormulaOfASum) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    const SymbolicTime time = random_time(random);
    for (const double m : {1.0, 1024.0, 7680.0}) {
      const TimeCases cases = time_cases(greatest_of({time}, m));
      EXPECT_EQ(in_words(cases), text_of(time)) << "seed " << seed;
      ASSERT_EQ(cases.times.size(), 1u);
      EXPECT_TRUE(cases.is_greatest && cases.is_whole && cases.elsewhere.empty());
      EXPECT_EQ(where(cases, 0), "");
    }
  }
}

TEST(TimeCases, AreTheGreatestOfSeveralSumsAtRandomMachines) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    std::vector<SymbolicTime> times;
    for (int k = 0; k < 4; ++k) {
      times.push_back(random_time(random));
      times.back().hops = times.back().combined = {};
    }
    ProbedRun run = greatest_of(times, 1024);
    run.machine.th = run.machine.tc = 0;
    const TimeCases cases = time_cases(run);
    ASSERT_FALSE(cases.times.empty());
    EXPECT_TRUE(cases.is_greatest);
    for (int point = 0; point < 20; ++point) {
      Machine machine = random_machine(random);
      machine.th = machine.tc = 0;
      const double expected = run.time(machine, 1);
      EXPECT_NEAR(seconds(cases, machine, run.m), expected, 1e-9 * expected) << "seed " << seed;
      // The case that its condition names is the greatest.
      const double here = seconds(cases.times[case_at(cases, machine, run.m)], machine, run.m);
      EXPECT_NEAR(here, expected, 1e-9 * expected) << "seed " << seed;
    }
  }
}

TEST(TimeCases, SayWhereEachHolds) {
  const SymbolicTime chain{.starts = whole(3), .sizes = whole(3)};
  const SymbolicTime large{.starts = whole(1), .sizes = whole(64)};
  ProbedRun run = greatest_of({large, chain}, 16);
  run.machine.th = run.machine.tc = 0;
  const TimeCases cases = time_cases(run);
  ASSERT_THAT(cases.times, testing::ElementsAre(chain, large));
  EXPECT_EQ(where(cases, 0), "m <= 2/61 ts/tw");
  EXPECT_EQ(where(cases, 1), "m >= 2/61 ts/tw");
}

TEST(TimeCases, FindATimeThatJumps) {
  const SymbolicTime few{.starts = whole(5), .sizes = whole(1)};
  const SymbolicTime many{.starts = whole(2), .sizes = whole(2)};
  ProbedRun run{.time = [&](const Machine& machine,
                            int) { return seconds(machine.ts > 10 * machine.tw * 16 ? few : many, machine, 16); },
                .machine = {.ts = 1e-6, .tw = 1e-9},
                .m = 16};
  const TimeCases cases = time_cases(run);
  ASSERT_THAT(cases.times, testing::ElementsAre(few, many));
  EXPECT_FALSE(cases.is_greatest);
  EXPECT_FALSE(cases.boundaries[0].is_crossing);
  EXPECT_NEAR(cases.boundaries[0].ratio, 10, 0.01);
  EXPECT_EQ(where(cases, 0), "m < 0.1 ts/tw");
}

TEST(TimeCases, TellFixedSizesFromThoseThatGrow) {
  ProbedRun run{.time = [](const Machine& at, int scale) { return 2 * at.ts + at.tw * (3 * 1024 * scale + 96); },
                .machine = {.ts = 1e-6, .tw = 1e-9},
                .m = 1024,
                .has_fixed_sizes = true};
  EXPECT_EQ(text_of(time_cases(run).times.front()), "2 ts + tw (3 m + 96)");
}

TEST(TimeCases, KeepTimesOfTheRunsOwn) {
  ProbedRun run{.time = [](const Machine& at, int) { return 2e-6 + 2 * at.ts + at.tw * 1024; },
                .machine = {.ts = 1e-6, .tw = 1e-9},
                .m = 1024,
                .has_own_times = true};
  const TimeCases cases = time_cases(run);
  ASSERT_EQ(cases.times.size(), 1u);
  EXPECT_EQ(text_of(cases.times.front()), "2 ts + tw m + 2us");
}

// The bounds in seconds on that machine, by name; equal ones may be one or two, by rounding.
void expect_bounds(const std::vector<SymbolicBound>& symbolic, const Problem& problem, const Topology& topology,
                   const Machine& machine) {
  const std::string what = topology.name() + ", " + std::string(name_of(problem.collective));
  const auto m = static_cast<double>(problem.count);
  double greatest = 0;
  for (const SymbolicBound& bound : symbolic) {
    const double value = seconds(bound.time, machine, m);
    greatest = std::max(greatest, value);
    const std::vector<LowerBound> bounds = lower_bounds(problem, 1, topology, machine);
    const auto found =
        std::find_if(bounds.begin(), bounds.end(), [&](const LowerBound& each) { return each.name == bound.name; });
    const double expected = found == bounds.end() ? value : found->seconds;
    EXPECT_NEAR(value, expected, 1e-9 * expected) << what << ", " << bound.name << ", seed " << seed;
    const bool general = bound.name == "rounds" || bound.name == "bandwidth";
    EXPECT_EQ(!bound.formula.empty(), general && machine.ports == Ports::single) << what << ", " << bound.name;
  }
  const double bound = lower_bound(problem, 1, topology, machine).seconds;
  EXPECT_NEAR(greatest, bound, 1e-9 * bound) << what << ", seed " << seed;
}

TEST(SymbolicBounds, AreTheBoundsAtRandomMachines) {
  std::mt19937_64 random(seed);
  for (const char* words : {"full:1", "full:2", "full:5", "ring:6", "torus:3x4", "hypercube:3", "tree:8"}) {
    const TopologyPtr topology = topology_named(words);
    for (const Collective collective : all_collectives()) {
      Problem problem{.collective = collective, .ranks = topology->ranks(), .count = 64};
      if (collective == Collective::barrier) problem.count = 0;
      if (collective == Collective::shift) problem.distance = 1;
      for (const Ports ports : {Ports::single, Ports::multiple}) {
        const std::vector<SymbolicBound> symbolic = symbolic_bounds(problem, *topology, {.ports = ports});
        for (int point = 0; point < 3; ++point) {
          Machine machine = random_machine(random);
          machine.ports = ports;
          expect_bounds(symbolic, problem, *topology, machine);
        }
      }
    }
  }
}

TEST(SymbolicBounds, GrowAsTheirSumDoes) {
  EXPECT_EQ(least_growth(Collective::reduce), "ts log p + tw m");
  EXPECT_EQ(least_growth(Collective::all_to_all), "ts log p + tw m p");
  EXPECT_EQ(least_growth(Collective::shift), "ts + tw m");
  EXPECT_EQ(least_growth(Collective::barrier), "ts log p");
}

}  // namespace
}  // namespace tutti
