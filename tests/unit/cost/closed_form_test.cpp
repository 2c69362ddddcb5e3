/// @file
/// Closed forms against simulation: for every algorithm, many ranks, roots, operators and counts.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "algorithms/catalogue.hpp"
#include "base/integers.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "cost/closed_form.hpp"
#include "cost/segments.hpp"
#include "simulate/simulate.hpp"
#include "support/sanitizers.hpp"
#include "topology/formats/named.hpp"

namespace tutti {
namespace {

constexpr std::uint64_t seed = 20031;
constexpr std::int64_t element_bytes = 4;

std::vector<int> rank_counts() {
  std::vector<int> counts;
  for (int p = 1; p <= 9; ++p) counts.push_back(p);
  for (const int p : {12, 16, 17, 31}) counts.push_back(p);
  return counts;
}

// Parameters of which no two terms agree by chance.
Machine random_machine(std::mt19937_64& random, Switching switching) {
  std::uniform_real_distribution<double> factor(0.3, 3);
  return {
      .switching = switching, .ts = 1e-6 * factor(random), .tw = 1e-9 * factor(random), .th = 1e-7 * factor(random)};
}

double simulated(Workload& workload, const Topology& topology, const Machine& machine, Engine engine) {
  workload.forget_meetings();
  return simulate(workload, topology, machine, {.engine = engine}).seconds;
}

double simulated(const Choice& choice, const Problem& problem, const Topology& topology, const Machine& machine,
                 Engine engine) {
  Workload workload(choice, problem, element_bytes);
  return simulated(workload, topology, machine, engine);
}

void expect_near(double seconds, double form, const std::string& what) {
  EXPECT_NEAR(seconds, form, 1e-9 * std::max(seconds, form)) << what << ", seed " << seed;
}

struct Instance {
  Choice choice;
  Problem problem;

  friend bool operator==(const Instance&, const Instance&) = default;
};

// Problems of p ranks whose messages p divides: several roots, distances and grids, operators of both kinds. Each is
// there once: a collective may have no root, and no operator.
std::vector<Instance> instances(const Algorithm& algorithm, int p) {
  std::vector<Instance> all;
  const bool whole = !has_blocks(algorithm.collective);
  for (const int root : {0, p / 2, p - 1}) {
    for (const bool commutative : {true, false}) {
      for (const std::int64_t blocks : {1, 3, 1000}) {
        Problem problem{
            .collective = algorithm.collective, .ranks = p, .count = blocks * (whole ? p : 1), .root = root};
        problem.distance = algorithm.collective == Collective::shift ? root + static_cast<int>(blocks % 7) : 0;
        problem.commutative = commutative || !reduces(algorithm.collective);
        if (algorithm.collective == Collective::barrier) problem.count = 0;
        if (!has_root(algorithm.collective)) problem.root = 0;
        Parameters parameters;
        if (p % 2 == 0 && blocks == 3) parameters.grid = {2, p / 2};
        if (p % 4 == 0 && blocks == 1000) parameters.grid = {2, p / 4, 2};
        const Instance instance{{algorithm, parameters}, problem};
        if (!unmet_need(algorithm, problem) && std::find(all.begin(), all.end(), instance) == all.end())
          all.push_back(instance);
      }
    }
  }
  return all;
}

// A scatter in lines that are no powers of two: some ranks have nothing to send in the first step of their line, and
// begin with a larger message early. Rounds let everybody wait for it.
bool waits_in_rounds(const Algorithm& algorithm, const Problem& problem) {
  const bool scatters = algorithm.collective == Collective::scatter && algorithm.name == "mesh";
  const bool scatters_first = algorithm.name.starts_with("scatter-all-gather-mesh");
  return (scatters || scatters_first) && !is_power_of_two(problem.ranks);
}

// In a scan by doubling, which the leaders' is on one node, the rank that combines most in one round is not the one
// that does in the next: where each goes at its own pace, it is faster than the form.
bool combines_unevenly(const Algorithm& algorithm) {
  const bool scan = algorithm.collective == Collective::scan || algorithm.collective == Collective::exclusive_scan;
  return scan && (algorithm.name == "recursive-doubling" || algorithm.name == "leaders");
}

// Returns whether the form is of parts of one size, and of ranks none of which is folded into another.
bool may_lack_a_price(const Algorithm& algorithm, const Problem& problem) {
  const std::string_view name = algorithm.name;
  const bool in_parts = name == "direct" || name.starts_with("multi-leader") || name == "mesh-multi-port" ||
                        name == "mesh-pat" || name == "swing-multi-port";
  return name == "recursive-multiplying" || (in_parts && problem.count % problem.ranks != 0);
}

Shape shape_in(std::string_view text) {
  std::vector<int> extents;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    extents.push_back(std::stoi(std::string(text.substr(at, end - at))));
    at = end + 1;
  }
  return Shape(extents);
}

// Expects of a form that is not exact everywhere that the simulation is below only if it says so.
void expect_what_it_says(const ClosedFormPrice& priced, double form, double time, const std::string& what) {
  if (priced.exactly) {
    expect_near(time, form, what);
  } else {
    EXPECT_LE(time, form * (1 + 1e-9)) << what << ", seed " << seed;
  }
}

TEST(ClosedForm, EveryAlgorithmHasOneForFullyConnectedRanks) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    EXPECT_NE(find_form(*algorithm, "full", Switching::alpha_beta), nullptr)
        << name_of(algorithm->collective) << " " << algorithm->name;
  }
}

TEST(ClosedForm, IsTheSimulatedTimeOnFullyConnectedRanks) {
  std::mt19937_64 random(seed);
  test::Sample sample;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int p : rank_counts()) {
      const TopologyPtr full = topology_named("full:" + std::to_string(p));
      for (const auto& [choice, problem] : instances(*algorithm, p)) {
        if (!sample.takes_next()) continue;
        Machine machine = random_machine(random, Switching::alpha_beta);
        Workload workload(choice, problem, element_bytes);
        for (const double tc : {0.0, 7e-10}) {
          machine.tc = tc;
          const auto priced = price(choice, problem, *full, machine);
          if (!priced) {
            EXPECT_TRUE(may_lack_a_price(*algorithm, problem)) << algorithm->name << ", " << describe(problem);
            continue;
          }
          const double form = seconds(priced->terms, element_bytes, machine);
          const std::string what =
              std::string(algorithm->name) + ", " + describe(problem) + (tc > 0 ? ", combining" : "");
          const double rounds = simulated(workload, *full, machine, Engine::rounds);
          const double flows = simulated(workload, *full, machine, Engine::flows);
          if (waits_in_rounds(*algorithm, problem)) {
            EXPECT_GE(rounds, form * (1 - 1e-9)) << what << ", seed " << seed;
          } else {
            expect_what_it_says(*priced, form, rounds, what + ", rounds");
          }
          if (combines_unevenly(*algorithm) && tc > 0) {
            EXPECT_LE(flows, form * (1 + 1e-9)) << what << ", seed " << seed;
          } else {
            expect_what_it_says(*priced, form, flows, what + ", flows");
          }
        }
      }
    }
  }
}

// The forms for other networks, wherever they apply.
TEST(ClosedForm, IsTheSimulatedTimeOnTheTextbooksNetworks) {
  std::mt19937_64 random(seed);
  int priced_pairs = 0;
  for (const char* words :
       {"ring:2",      "ring:7",      "ring:8",      "ring:16",   "linear:5",    "linear:8",    "torus:2x2",
        "torus:3x3",   "torus:4x4",   "torus:3x5",   "torus:4x8", "torus:3x3x3", "torus:2x4x4", "hypercube:0",
        "hypercube:1", "hypercube:4", "hypercube:5", "tree:2",    "tree:16",     "full:6"}) {
    const TopologyPtr topology = topology_named(words);
    for (const Switching switching : {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta}) {
      for (const Algorithm* algorithm : algorithms::catalogue()) {
        const bool at_own_pace = algorithm->name == "tree" && algorithm->collective == Collective::all_to_all;
        Problem problem{.collective = algorithm->collective,
                        .ranks = topology->ranks(),
                        .count = 120 * topology->ranks(),
                        .distance = 3};
        if (algorithm->collective == Collective::barrier) problem.count = 0;
        Choice choice(*algorithm);
        if (std::string_view(words).starts_with("torus"))
          choice.parameters.grid = shape_in(std::string_view(words).substr(6));
        const Machine machine = random_machine(random, switching);
        const auto priced = price(choice, problem, *topology, machine);
        if (!priced) continue;
        ++priced_pairs;
        const double form = seconds(priced->terms, element_bytes, machine);
        const std::string what = std::string(words) + ", " + std::string(name_of(switching)) + ", " +
                                 std::string(algorithm->name) + ", " + describe(problem);
        if (!at_own_pace)
          expect_near(simulated(choice, problem, *topology, machine, Engine::rounds), form, what + ", rounds");
        expect_near(simulated(choice, problem, *topology, machine, Engine::flows), form, what + ", flows");
      }
    }
  }
  EXPECT_GE(priced_pairs, 200);
}

// Every count for which something changes: none, fewer elements than ranks, parts of two sizes, equal parts.
std::vector<std::int64_t> counts_around(int p) {
  if (p > 16) return {2, p - 1, p + 1, 1000};
  return {0, 1, 2, p - 1, p, p + 1, 2 * p + p / 2, 1000};
}

TEST(ClosedForm, IsExactWhereItSaysSoForEveryCount) {
  std::mt19937_64 random(seed);
  test::Sample sample;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (int p = 1; p <= 40; ++p) {
      const TopologyPtr full = topology_named("full:" + std::to_string(p));
      for (const std::int64_t count : counts_around(p)) {
        if (!sample.takes_next()) continue;
        Problem problem{.collective = algorithm->collective,
                        .ranks = p,
                        .count = count,
                        .root = has_root(algorithm->collective) ? (p + static_cast<int>(count)) / 3 % p : 0,
                        .distance = p / 3};
        problem.commutative = count % 2 == 0 || unmet_need(*algorithm, problem);
        if (algorithm->collective == Collective::barrier) problem.count = 0;
        if (unmet_need(*algorithm, problem)) continue;
        for (const double tc : {0.0, p > 16 ? 7e-10 : 1e-6}) {
          if (tc > 0 && !reduces(algorithm->collective)) continue;
          Machine machine = random_machine(random, Switching::alpha_beta);
          machine.tc = tc;
          const auto priced = price(*algorithm, problem, *full, machine);
          if (!priced) {
            EXPECT_TRUE(may_lack_a_price(*algorithm, problem)) << algorithm->name << ", " << describe(problem);
            continue;
          }
          expect_what_it_says(*priced, seconds(priced->terms, element_bytes, machine),
                              simulated(*algorithm, problem, *full, machine, Engine::flows),
                              std::string(algorithm->name) + ", " + describe(problem) + ", tc " + std::to_string(tc));
        }
      }
    }
  }
}

// Exact forms are the rule: the others are those of algorithms that pass on parts or segments of two sizes, and of
// scans that combine.
TEST(ClosedForm, IsAnUpperBoundOnlyWhereItHasTo) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const ClosedForm* form = find_form(*algorithm, "full", Switching::alpha_beta);
    ASSERT_NE(form, nullptr);
    const Problem equal{.collective = algorithm->collective, .ranks = 8, .count = 24};
    EXPECT_EQ(unmet_condition(*form, equal), std::nullopt) << algorithm->name;
    // Ranks that combine in one tree keep those waiting that they serve in the other; by halving, those across.
    const bool scan = algorithm->collective == Collective::scan || algorithm->collective == Collective::exclusive_scan;
    const bool scan_by_halving = scan && algorithm->name == "halving";
    const bool waits_for_combining =
        (algorithm->name == "two-tree" && reduces(algorithm->collective)) || scan_by_halving;
    EXPECT_EQ(inexact_without(*form, equal, {}, {.tc = 1}).has_value(), waits_for_combining) << algorithm->name;
    const Problem uneven{.collective = algorithm->collective, .ranks = 8, .count = 25};
    const bool gathers_parts =
        algorithm->name.find("scatter-") != std::string_view::npos &&
        (algorithm->collective == Collective::broadcast || algorithm->collective == Collective::reduce);
    const bool mixes_sizes = algorithm->name == "two-tree" || algorithm->name == "disjoint-trees" ||
                             (algorithm->name == "n-block" && !has_blocks(algorithm->collective)) ||
                             (algorithm->name == "swing" && !has_blocks(algorithm->collective)) ||
                             (algorithm->name == "bine" && algorithm->collective == Collective::all_reduce) ||
                             scan_by_halving;
    EXPECT_EQ(inexact_without(*form, uneven, {}, {}).has_value(), gathers_parts || mixes_sizes) << algorithm->name;
  }
}

// Every root, operators of both kinds, and every network up to 16 ranks on which there is a form.
TEST(ClosedForm, HoldsForEveryRootAndOperator) {
  std::vector<std::string> networks{"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",
                                    "tree:2",      "tree:4",      "tree:8",      "tree:16",     "torus:2x2",
                                    "torus:2x3",   "torus:3x3",   "torus:2x4",   "torus:2x5",   "torus:3x5",
                                    "torus:4x4",   "torus:2x7",   "torus:2x2x2", "torus:2x2x3", "torus:2x2x2x2"};
  for (int p = 1; p <= 16; ++p) {
    networks.push_back("ring:" + std::to_string(p));
    networks.push_back("linear:" + std::to_string(p));
  }
  std::mt19937_64 random(seed);
  int away_from_zero = 0;
  for (const std::string& words : networks) {
    const TopologyPtr topology = topology_named(words);
    const int p = topology->ranks();
    for (const Switching switching : {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta}) {
      for (const Algorithm* algorithm : algorithms::catalogue()) {
        if (!has_root(algorithm->collective)) continue;
        for (int root = 0; root < p; ++root) {
          for (const std::int64_t count : {p + 1, 3 * p}) {
            for (const bool commutative : {true, false}) {
              Problem problem{.collective = algorithm->collective, .ranks = p, .count = count, .root = root};
              problem.commutative = commutative;
              Choice choice(*algorithm);
              if (words.starts_with("torus")) choice.parameters.grid = shape_in(std::string_view(words).substr(6));
              if (unmet_need(*algorithm, problem)) continue;
              Machine machine = random_machine(random, switching);
              machine.tc = 7e-10;
              const auto priced = price(choice, problem, *topology, machine);
              if (!priced) continue;
              if (root > 0) ++away_from_zero;
              expect_what_it_says(*priced, seconds(priced->terms, element_bytes, machine),
                                  simulated(choice, problem, *topology, machine, Engine::flows),
                                  words + ", " + std::string(name_of(switching)) + ", " + std::string(algorithm->name) +
                                      ", " + describe(problem));
            }
          }
        }
      }
    }
  }
  EXPECT_GE(away_from_zero, 3000);
}

bool cuts_into_segments(const Algorithm& algorithm) {
  const Problem problem{.collective = algorithm.collective, .ranks = 8, .count = 1000};
  return algorithm.claims(problem, {.segments = 1}).messages != algorithm.claims(problem, {.segments = 2}).messages;
}

// More elements than claims can count: rounds and segments are of one number of segments all the same.
TEST(ClosedForm, IsNeverBelowTheBoundWhereRanksAreMany) {
  const Machine machine{.ts = 1e-6, .tw = 1e-9};
  for (const int p : {1 << 20, (1 << 20) + 7, 1 << 24}) {
    const TopologyPtr topology = topology_named("full:" + std::to_string(p));
    for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::all_reduce,
                                        Collective::scan, Collective::exclusive_scan}) {
      for (const std::int64_t count : {std::int64_t{1} << 29, std::int64_t{1} << 40}) {
        const Problem problem{.collective = collective, .ranks = p, .count = count};
        const double bound = lower_bound(problem, 1, *topology, machine).seconds;
        for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
          if (!cuts_into_segments(*algorithm)) continue;
          const auto priced = price({*algorithm, {.segments = 1 << 20}}, problem, *topology, machine);
          if (!priced) continue;
          EXPECT_GE(seconds(priced->terms, 1, machine), bound * (1 - 1e-9))
              << algorithm->name << ", " << describe(problem);
          const int found = segments_by_rounds(*algorithm, problem, machine);
          EXPECT_TRUE(found >= 0 && found <= 1 << 10) << algorithm->name << found;
        }
      }
    }
  }
}

TEST(ClosedForm, SaysWhyThereIsNone) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 19, .count = 20};
  const Algorithm& direct = *algorithms::find(Collective::all_reduce, "direct");
  EXPECT_FALSE(price(direct, problem, *topology_named("full:19"), {}).has_value());
  EXPECT_EQ(why_no_price(direct, problem, *topology_named("full:19"), {}),
            "(p - 1)(2 ts + (2 tw + tc) m/p) holds where p divides m");
  EXPECT_EQ(why_no_price(direct, problem, *topology_named("ring:19"), {}),
            "none is known for this network and switching");
}

}  // namespace
}  // namespace tutti
