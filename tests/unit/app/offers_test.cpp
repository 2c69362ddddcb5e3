/// @file
/// Who is the fastest, by closed forms and simulation together, against all algorithms simulated.

#include "app/offers.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "algorithms/catalogue.hpp"
#include "simulate/simulate.hpp"
#include "support/sanitizers.hpp"
#include "topology/named.hpp"

namespace tutti::app {
namespace {

const std::vector<std::int64_t> sizes{1, 16, 1000, 4096, 1 << 17};

Question question_on(std::string_view words, Switching switching, Collective collective) {
  Question question{.problem = {.collective = collective, .count = 1},
                    .topology = topology_named(words),
                    .machine = {.switching = switching, .th = 1e-7, .tc = 2e-10},
                    .algorithms = {}};
  question.problem.ranks = question.topology->ranks();
  question.problem.distance = collective == Collective::shift ? 2 : 0;
  question.problem.root = has_root(collective) ? question.problem.ranks - 1 : 0;
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
    if (!unmet_need(*algorithm, question.problem)) question.algorithms.push_back(algorithm);
  }
  return question;
}

double simulated(const Question& question, const Choice& choice, std::int64_t bytes) {
  Problem problem = question.problem;
  problem.count = bytes;
  Workload workload(choice, problem, 1);
  return simulate(workload, *question.topology, question.machine).seconds;
}

std::string words_of(const Question& question, std::int64_t bytes) {
  return question.topology->name() + ", " + std::string(tutti::name_of(question.machine.switching)) + ", " +
         std::string(tutti::name_of(question.problem.collective)) + ", " + std::to_string(bytes) + " bytes";
}

void expect_best_is_best(const Question& question) {
  Prices prices(question, sizes);
  const Reigns reigns = prices.reigns({1, 1 << 17});
  EXPECT_TRUE(reigns.looks_between);
  for (const std::int64_t bytes : sizes) {
    const std::string what = words_of(question, bytes);
    double least = std::numeric_limits<double>::infinity();
    for (const Algorithm* algorithm : question.algorithms) {
      const Offer offer = prices.offer(*algorithm, bytes);
      const double time = simulated(question, {*algorithm, offer.parameters}, bytes);
      least = std::min(least, time);
      EXPECT_TRUE(offer.basis == Basis::closed_form || offer.basis == Basis::simulation) << what;
      EXPECT_NEAR(offer.seconds, time, 1e-9 * time) << what << ", " << algorithm->name;
    }
    EXPECT_NEAR(prices.offers(bytes).front().seconds, least, 1e-9 * least) << what;
    const auto reign = std::find_if(reigns.all.begin(), reigns.all.end(), [&](const Reign& candidate) {
      return candidate.sizes.least <= bytes && bytes <= candidate.sizes.most;
    });
    ASSERT_NE(reign, reigns.all.end()) << what;
    // Between two sizes that are looked at another may rule; powers of two are looked at.
    if ((bytes & (bytes - 1)) != 0) continue;
    EXPECT_EQ(reign->algorithm, prices.offers(bytes).front().algorithm) << what;
  }
}

TEST(Offers, AreThoseOfAllAlgorithmsSimulated) {
  test::Sample sample;
  for (const char* words : {"ring:8", "linear:5", "torus:3x3", "hypercube:3", "tree:4", "star:4", "full:7",
                            "fat-tree:2x2", "nvswitch:2x2"}) {
    for (const Switching switching : {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta}) {
      for (const Collective collective : all_collectives()) {
        if (collective != Collective::barrier && sample.takes_next())
          expect_best_is_best(question_on(words, switching, collective));
      }
    }
  }
}

TEST(Offers, SayWhatIsTooLargeToSimulate) {
  Prices prices(question_on("fat-tree:2x20", Switching::alpha_beta, Collective::all_reduce), {1, 1024, 1 << 30});
  EXPECT_EQ(prices.unknown(), prices.question().algorithms);
  for (const Offer& offer : prices.offers(1024)) EXPECT_EQ(offer.basis, Basis::none) << offer.algorithm->name;
  EXPECT_TRUE(prices.reigns({1, 1 << 30}).all.empty());
  EXPECT_GT(prices.bound(1024).seconds, 0);
}

// Where forms hold, no algorithm is too large.
TEST(Offers, TakeAFormThatIsAnUpperBoundWhereASimulationIsTooLarge) {
  Prices prices(question_on("full:1000000", Switching::alpha_beta, Collective::broadcast), {1, 1 << 20});
  int bounds = 0;
  for (const Offer& offer : prices.offers(1)) bounds += offer.basis == Basis::upper_bound ? 1 : 0;
  EXPECT_EQ(bounds, 3);  // scatter-all-gather, round a ring and along the dimensions
  EXPECT_EQ(prices.offers(1).front().algorithm->name, "binomial");
}

TEST(Offers, AreComparedAtTheListedSizesAloneWhereTheOthersAreTooMany) {
  Prices prices(question_on("ring:64", Switching::store_and_forward, Collective::all_to_all), {64, 4096}, 0,
                {.compared = 20000});
  const Reigns reigns = prices.reigns({64, 4096});
  EXPECT_FALSE(reigns.looks_between);
  ASSERT_FALSE(reigns.all.empty());
  for (const Reign& reign : reigns.all) EXPECT_EQ(reign.algorithm, prices.offers(reign.sizes.least).front().algorithm);
}

// The best number of segments is at least as good as any: by the form, (p + S - 2)(ts + tw m/S), and by simulation.
TEST(Offers, SearchTheNumberOfSegments) {
  const Algorithm& chain = *algorithms::find(Collective::broadcast, "chain");
  for (const std::int64_t bytes : {1, 100, 10000, 1 << 20}) {
    const Question question{.problem = {.collective = Collective::broadcast, .ranks = 8, .count = 1},
                            .topology = full_topology(8),
                            .machine = {},
                            .algorithms = {&chain}};
    Prices prices(question, {bytes});
    const Offer offer = prices.offer(chain, bytes);
    double least = std::numeric_limits<double>::infinity();
    for (int segments = 1; segments <= 4096; segments += segments < 64 ? 1 : 61) {
      Question fixed = question;
      fixed.parameters.segments = segments;
      const Offer given = Prices(fixed, {bytes}).offer(chain, bytes);
      EXPECT_EQ(given.parameters.segments, segments);
      least = std::min(least, given.seconds);
    }
    EXPECT_LE(offer.seconds, 1.05 * least) << bytes;
    EXPECT_GE(offer.seconds, 0.999 * least) << bytes;
    EXPECT_EQ(offer.parameters.segments > 8, bytes >= 1 << 20) << bytes;
  }
}

// Segments that are not equal have an upper bound alone; equal ones of another number may be known to take less.
TEST(Offers, CutWhatIsTooLargeToSimulateIntoEqualSegments) {
  const Algorithm& algorithm = *algorithms::find(Collective::broadcast, "n-block");
  Question question = question_on("full:999983", Switching::alpha_beta, Collective::broadcast);
  question.algorithms = {&algorithm};
  for (const std::int64_t bytes : {129, 145, 200, 422, 1000}) {
    Prices prices(question, {bytes}, 0, {.shown = 0, .compared = 0});
    const Offer offer = prices.offer(algorithm, bytes);
    EXPECT_NE(offer.basis, Basis::none);
    for (int segments = 1; segments <= 8; ++segments) {
      const auto exact = prices.exact_seconds({algorithm, {.segments = segments}}, bytes);
      if (exact) {
        EXPECT_LE(offer.seconds, *exact) << bytes << " bytes in " << segments;
      }
    }
  }
}

// Where the time is simulated, segments suit the rounds: none of many other numbers takes much less.
TEST(Offers, AreSimulatedInAsManySegmentsAsSuitTheRounds) {
  for (const auto& [collective, name] : {std::pair(Collective::broadcast, "chain"),
                                         {Collective::broadcast, "n-block"},
                                         {Collective::scan, "chain-pipelined"},
                                         {Collective::reduce, "two-tree"}}) {
    Question question = question_on("torus:3x5", Switching::alpha_beta, collective);
    const Algorithm& algorithm = *algorithms::find(collective, name);
    question.algorithms = {&algorithm};
    for (const std::int64_t bytes : {1, 100, 10000, 1 << 20}) {
      const Offer offer = Prices(question, {bytes}).offer(algorithm, bytes);
      EXPECT_EQ(offer.basis, Basis::simulation);
      EXPECT_NEAR(offer.seconds, simulated(question, {algorithm, offer.parameters}, bytes), 1e-9 * offer.seconds);
      for (int segments = 1; segments <= 512; segments *= 2) {
        const double other = simulated(question, {algorithm, {.segments = segments}}, bytes);
        EXPECT_LE(offer.seconds, 1.25 * other) << name << ", " << bytes << " bytes, " << segments << " segments";
      }
    }
  }
}

// However little the effort is: what is too large is not made to fit it by a pipeline in a single segment.
TEST(Offers, AreOfNoPipelineInFewSegments) {
  Question question = question_on("torus:8x8", Switching::alpha_beta, Collective::broadcast);
  const Algorithm& chain = *algorithms::find(Collective::broadcast, "chain");
  question.algorithms = {&chain};
  constexpr std::int64_t bytes = 1 << 20;
  int simulated = 0;
  for (std::int64_t effort = 1 << 8; effort <= 1 << 20; effort *= 2) {
    const Offer offer = Prices(question, {bytes}, 0, {.shown = effort}).offer(chain, bytes);
    if (offer.basis != Basis::simulation) continue;
    EXPECT_GE(offer.parameters.segments, 8) << effort;
    ++simulated;
  }
  EXPECT_GT(simulated, 2);
}

// Those that are slower take little of the effort, however much they would take to their ends.
TEST(Offers, TheFastestIsFoundWithAFewTimesItsOwnWork) {
  const Question question = question_on("dragonfly:2x4x2", Switching::alpha_beta, Collective::all_reduce);
  constexpr std::int64_t bytes = 1 << 20;
  Problem problem = question.problem;
  problem.count = bytes;
  const Algorithm* fastest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  std::int64_t work = 0;
  for (const Algorithm* algorithm : question.algorithms) {
    Workload workload({*algorithm, {}}, problem, 1);
    const Simulation result = simulate(workload, *question.topology, question.machine);
    if (result.seconds >= least) continue;
    least = result.seconds;
    work = std::max(result.work, result.messages * work_of_a_message * 2);
    fastest = algorithm;
  }
  Prices prices(question, {bytes}, 0, {.shown = 6 * work, .compared = 6 * work});
  EXPECT_EQ(prices.offers(bytes).front().algorithm->name, fastest->name);
}

}  // namespace
}  // namespace tutti::app
