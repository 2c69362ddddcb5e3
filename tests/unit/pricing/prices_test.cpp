/// @file
/// Fastest algorithms by closed forms and simulation together, against all algorithms simulated.

#include "pricing/prices.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "algorithms/catalogue.hpp"
#include "pricing/cheapest.hpp"
#include "simulate/simulate.hpp"
#include "support/sanitizers.hpp"
#include "topology/formats/named.hpp"

namespace tutti {
namespace {

const std::vector<std::int64_t> sizes{1, 16, 1000, 4096, 1 << 17};

PricingRequest request_on(std::string_view words, Switching switching, Collective collective) {
  PricingRequest request{.problem = {.collective = collective, .count = 1},
                         .topology = topology_named(words),
                         .machine = {.switching = switching, .th = 1e-7, .tc = 2e-10},
                         .algorithms = {}};
  request.problem.ranks = request.topology->ranks();
  request.problem.distance = collective == Collective::shift ? 2 : 0;
  request.problem.root = has_root(collective) ? request.problem.ranks - 1 : 0;
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
    if (!unmet_need(*algorithm, request.problem)) request.algorithms.push_back(algorithm);
  }
  return request;
}

double simulated(const PricingRequest& request, const Choice& choice, std::int64_t bytes) {
  Problem problem = request.problem;
  problem.count = bytes;
  Workload workload(choice, problem, 1);
  return simulate(workload, *request.topology, request.machine).seconds;
}

std::string words_of(const PricingRequest& request, std::int64_t bytes) {
  return request.topology->name() + ", " + std::string(tutti::name_of(request.machine.switching)) + ", " +
         std::string(tutti::name_of(request.problem.collective)) + ", " + std::to_string(bytes) + " bytes";
}

void expect_best_is_best(const PricingRequest& request) {
  Prices prices(request, sizes);
  const WinnerRanges ranges = prices.winner_ranges({1, 1 << 17});
  EXPECT_TRUE(ranges.looks_between);
  for (const std::int64_t bytes : sizes) {
    const std::string what = words_of(request, bytes);
    double least = std::numeric_limits<double>::infinity();
    for (const Algorithm* algorithm : request.algorithms) {
      const PricedAlgorithm priced = prices.price_of(*algorithm, bytes);
      const double time = simulated(request, {*algorithm, priced.parameters}, bytes);
      least = std::min(least, time);
      EXPECT_TRUE(priced.basis == Basis::closed_form || priced.basis == Basis::simulation) << what;
      EXPECT_NEAR(priced.seconds, time, 1e-9 * time) << what << ", " << algorithm->name;
    }
    EXPECT_NEAR(prices.ranking(bytes).front().seconds, least, 1e-9 * least) << what;
    const auto range = std::find_if(ranges.all.begin(), ranges.all.end(), [&](const WinnerRange& candidate) {
      return candidate.sizes.least <= bytes && bytes <= candidate.sizes.most;
    });
    ASSERT_NE(range, ranges.all.end()) << what;
    // Between two sizes that are looked at another may rule; powers of two are looked at.
    if ((bytes & (bytes - 1)) != 0) continue;
    EXPECT_EQ(range->algorithm, prices.ranking(bytes).front().algorithm) << what;
  }
}

TEST(Offers, AreThoseOfAllAlgorithmsSimulated) {
  test::Sample sample;
  for (const char* words : {"ring:8", "linear:5", "torus:3x3", "hypercube:3", "tree:4", "star:4", "full:7",
                            "fat-tree:2x2", "nvswitch:2x2"}) {
    for (const Switching switching : {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta}) {
      for (const Collective collective : all_collectives()) {
        if (collective != Collective::barrier && sample.takes_next())
          expect_best_is_best(request_on(words, switching, collective));
      }
    }
  }
}

TEST(Offers, SayWhatIsTooLargeToSimulate) {
  Prices prices(request_on("fat-tree:2x20", Switching::alpha_beta, Collective::all_reduce), {1, 1024, 1 << 30});
  EXPECT_EQ(prices.unknown(), prices.request().algorithms);
  for (const PricedAlgorithm& priced : prices.ranking(1024))
    EXPECT_EQ(priced.basis, Basis::none) << priced.algorithm->name;
  for (const WinnerRange& known : prices.winner_ranges({1, 1 << 30}).all)
    EXPECT_LT(known.sizes.most, 1024) << known.algorithm->name;
  EXPECT_GT(prices.bound(1024).seconds, 0);
}

// Large sizes, at which forms hold or simulations take long, leave enough for small ones, at which none holds.
TEST(Offers, OfARangeKnowWhatTheSmallestSizeAloneKnows) {
  const PricingRequest request = request_on("full:64", Switching::alpha_beta, Collective::all_reduce);
  Prices range(request, {8, 16, 32, 64, 1 << 10, 1 << 14, 1 << 17, 1 << 20});
  Prices alone(request, {8});
  for (const Algorithm* algorithm : request.algorithms)
    EXPECT_EQ(range.price_of(*algorithm, 8).basis, alone.price_of(*algorithm, 8).basis) << algorithm->name;
  EXPECT_TRUE(range.unknown().empty());
}

// No algorithm is too large if forms hold.
TEST(Offers, TakeAFormThatIsAnUpperBoundWhereASimulationIsTooLarge) {
  Prices prices(request_on("full:1000000", Switching::alpha_beta, Collective::broadcast), {1, 1 << 20});
  int bounds = 0;
  for (const PricedAlgorithm& priced : prices.ranking(1)) bounds += priced.basis == Basis::upper_bound ? 1 : 0;
  EXPECT_EQ(bounds, 3);  // scatter-all-gather, round a ring and along the dimensions
  EXPECT_EQ(prices.ranking(1).front().algorithm->name, "binomial");
}

TEST(Offers, AreComparedAtTheListedSizesAloneWhereTheOthersAreTooMany) {
  Prices prices(request_on("ring:64", Switching::store_and_forward, Collective::all_to_all), {64, 4096}, 0,
                {.compared = 20000});
  const WinnerRanges ranges = prices.winner_ranges({64, 4096});
  EXPECT_FALSE(ranges.looks_between);
  ASSERT_FALSE(ranges.all.empty());
  for (const WinnerRange& range : ranges.all)
    EXPECT_EQ(range.algorithm, prices.ranking(range.sizes.least).front().algorithm);
}

// The best number of segments is at least as good as any: by the form, (p + S - 2)(ts + tw m/S), and by simulation.
TEST(Offers, SearchTheNumberOfSegments) {
  const Algorithm& chain = *algorithms::find(Collective::broadcast, "chain");
  for (const std::int64_t bytes : {1, 100, 10000, 1 << 20}) {
    const PricingRequest request{.problem = {.collective = Collective::broadcast, .ranks = 8, .count = 1},
                                 .topology = full_topology(8),
                                 .machine = {},
                                 .algorithms = {&chain}};
    Prices prices(request, {bytes});
    const PricedAlgorithm priced = prices.price_of(chain, bytes);
    double least = std::numeric_limits<double>::infinity();
    for (int segments = 1; segments <= 4096; segments += segments < 64 ? 1 : 61) {
      PricingRequest fixed = request;
      fixed.parameters.segments = segments;
      const PricedAlgorithm given = Prices(fixed, {bytes}).price_of(chain, bytes);
      EXPECT_EQ(given.parameters.segments, segments);
      least = std::min(least, given.seconds);
    }
    EXPECT_LE(priced.seconds, 1.05 * least) << bytes;
    EXPECT_GE(priced.seconds, 0.999 * least) << bytes;
    EXPECT_EQ(priced.parameters.segments > 8, bytes >= 1 << 20) << bytes;
  }
}

// Segments that are not equal have an upper bound alone; equal ones of another number may be known to take less.
TEST(Offers, CutWhatIsTooLargeToSimulateIntoEqualSegments) {
  const Algorithm& algorithm = *algorithms::find(Collective::broadcast, "n-block");
  PricingRequest request = request_on("full:999983", Switching::alpha_beta, Collective::broadcast);
  request.algorithms = {&algorithm};
  for (const std::int64_t bytes : {129, 145, 200, 422, 1000}) {
    Prices prices(request, {bytes}, 0, {.shown = 0, .compared = 0});
    const PricedAlgorithm priced = prices.price_of(algorithm, bytes);
    EXPECT_NE(priced.basis, Basis::none);
    for (int segments = 1; segments <= 8; ++segments) {
      const auto exact = prices.exact_seconds({algorithm, {.segments = segments}}, bytes);
      if (exact) {
        EXPECT_LE(priced.seconds, *exact) << bytes << " bytes in " << segments;
      }
    }
  }
}

// Segments suit the rounds if the time is simulated: none of many other numbers takes much less.
TEST(Offers, AreSimulatedInAsManySegmentsAsSuitTheRounds) {
  for (const auto& [collective, name] : {std::pair(Collective::broadcast, "chain"),
                                         {Collective::broadcast, "n-block"},
                                         {Collective::scan, "chain-pipelined"},
                                         {Collective::reduce, "two-tree"}}) {
    PricingRequest request = request_on("torus:3x5", Switching::alpha_beta, collective);
    const Algorithm& algorithm = *algorithms::find(collective, name);
    request.algorithms = {&algorithm};
    for (const std::int64_t bytes : {1, 100, 10000, 1 << 20}) {
      const PricedAlgorithm priced = Prices(request, {bytes}).price_of(algorithm, bytes);
      EXPECT_EQ(priced.basis, Basis::simulation);
      EXPECT_NEAR(priced.seconds, simulated(request, {algorithm, priced.parameters}, bytes), 1e-9 * priced.seconds);
      for (int segments = 1; segments <= 512; segments *= 2) {
        const double other = simulated(request, {algorithm, {.segments = segments}}, bytes);
        EXPECT_LE(priced.seconds, 1.25 * other) << name << ", " << bytes << " bytes, " << segments << " segments";
      }
    }
  }
}

// However little the effort is: what is too large is not made to fit it by a pipeline in a single segment.
TEST(Offers, AreOfNoPipelineInFewSegments) {
  PricingRequest request = request_on("torus:8x8", Switching::alpha_beta, Collective::broadcast);
  const Algorithm& chain = *algorithms::find(Collective::broadcast, "chain");
  request.algorithms = {&chain};
  constexpr std::int64_t bytes = 1 << 20;
  int simulated = 0;
  for (std::int64_t effort = 1 << 8; effort <= 1 << 20; effort *= 2) {
    const PricedAlgorithm priced = Prices(request, {bytes}, 0, {.shown = effort}).price_of(chain, bytes);
    if (priced.basis != Basis::simulation) continue;
    EXPECT_GE(priced.parameters.segments, 8) << effort;
    ++simulated;
  }
  EXPECT_GT(simulated, 2);
}

// Above 512 ranks algorithms are left out without a simulation by what one of their ranks sends or receives.
TEST(Offers, ARankThatIsRecordedPassesNoMoreThanItsTimeHasRoomFor) {
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::reduce, Collective::scan}) {
    const PricingRequest request = request_on("full:520", Switching::alpha_beta, collective);
    for (const std::int64_t bytes : {8, 1 << 14}) {
      Problem problem = request.problem;
      problem.count = bytes;
      for (const Algorithm* algorithm : request.algorithms) {
        const RecordedSize size = recorded_size({*algorithm, {}}, problem);
        if (size.messages > 60'000) continue;
        EXPECT_FALSE(size.ports.empty()) << algorithm->name;
        const double time = simulated(request, {*algorithm, {}}, bytes) * (1 + 1e-9);
        for (const PortLoad& load : size.ports) {
          const auto [messages, elements] = std::pair<double, double>(load.messages, load.elements);
          EXPECT_LE(messages * request.machine.ts + elements * request.machine.tw, time) << algorithm->name;
        }
      }
    }
  }
}

// Slower algorithms take little of the effort, however much they would take to their ends.
TEST(Offers, TheFastestIsFoundWithAFewTimesItsOwnWork) {
  const PricingRequest request = request_on("dragonfly:2x4x2", Switching::alpha_beta, Collective::all_reduce);
  constexpr std::int64_t bytes = 1 << 20;
  Problem problem = request.problem;
  problem.count = bytes;
  const Algorithm* fastest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  std::int64_t work = 0;
  for (const Algorithm* algorithm : request.algorithms) {
    Workload workload({*algorithm, {}}, problem, 1);
    const Simulation result = simulate(workload, *request.topology, request.machine);
    if (result.seconds >= least) continue;
    least = result.seconds;
    work = std::max(result.work, result.messages * work_of_a_message * 2);
    fastest = algorithm;
  }
  Prices prices(request, {bytes}, 0, {.shown = 6 * work, .compared = 6 * work});
  EXPECT_EQ(prices.ranking(bytes).front().algorithm->name, fastest->name);
}

TEST(CheapestAlgorithm, HasTheSimulationThatChoseIt) {
  int at_hand = 0;
  for (const Collective collective : {Collective::all_reduce, Collective::reduce, Collective::scan}) {
    for (const std::int64_t bytes : {8, 1 << 16}) {
      PricingRequest request = request_on("torus:3x4", Switching::alpha_beta, collective);
      request.problem.count = bytes;
      const CheapestAlgorithm found = cheapest_algorithm(request);
      if (!found.simulation) continue;
      ++at_hand;
      EXPECT_EQ(found.priced.basis, Basis::simulation);
      Workload workload({*found.priced.algorithm, found.priced.parameters}, request.problem, 1);
      const Simulation again = simulate(workload, *request.topology, request.machine);
      EXPECT_EQ(found.simulation->seconds, again.seconds) << words_of(request, bytes);
      EXPECT_EQ(found.simulation->rounds, again.rounds);
      EXPECT_EQ(found.simulation->messages, again.messages);
      EXPECT_EQ(found.simulation->bytes, again.bytes);
      EXPECT_EQ(found.simulation->most_shared, again.most_shared);
    }
  }
  EXPECT_GT(at_hand, 0);
}

}  // namespace
}  // namespace tutti
