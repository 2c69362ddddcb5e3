/// @file
/// Every algorithm of the catalogue, proved; and its claims, held against its schedule.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "support/sanitizers.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

std::vector<int> tried_ranks() {
  std::vector<int> ranks;
  for (int p = 1; p <= 17; ++p) ranks.push_back(p);
  ranks.insert(ranks.end(), {31, 32, 33});
  return ranks;
}

/// Whether no message of any algorithm can be empty.
bool all_blocks_filled(const Problem& problem) {
  if (problem.collective == Collective::barrier) return true;
  const std::int64_t least = has_blocks(problem.collective) ? 1 : problem.ranks;
  if (problem.counts.empty()) return problem.count >= least;
  return std::all_of(problem.counts.begin(), problem.counts.end(), [](std::int64_t count) { return count > 0; });
}

std::string text_of(const Traffic& traffic) {
  return std::to_string(traffic.rounds) + " rounds, " + std::to_string(traffic.messages) + " messages, " +
         std::to_string(traffic.elements) + " elements";
}

std::string name_of_case(const testing::TestParamInfo<const Algorithm*>& test) {
  std::string name = std::string(name_of(test.param->collective)) + "_" + std::string(test.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryAlgorithm : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithm, IsProvedAndCostsWhatItClaims) {
  const Algorithm& algorithm = *GetParam();
  int cases = 0;
  for (const int ranks : tried_ranks()) {
    algorithms::for_each_case(algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
      if (HasFatalFailure()) return;
      ++cases;
      const Choice choice(algorithm, parameters);
      const Schedule schedule = record(choice, problem);
      const Proof proof = verify(schedule);
      ASSERT_TRUE(proof.proved()) << describe(problem) << "\n  " << describe(*proof.failure) << "\n"
                                  << (ranks <= 4 ? text_of(schedule) : "");
      const Traffic traffic = traffic_of(schedule);
      const Claims claims = choice.claims(problem);
      const std::string both = describe(problem) + ", " + describe(parameters) + ": claims " + text_of(claims) +
                               ", takes " + text_of(traffic);
      if (all_blocks_filled(problem)) {
        ASSERT_EQ(traffic, claims) << both;
      } else {
        ASSERT_LE(traffic.messages, claims.messages) << both;
        ASSERT_LE(traffic.elements, claims.elements) << both;
      }
    });
  }
  ASSERT_GT(cases, 0);
  std::printf("%d cases proved\n", cases);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithm,
                         testing::ValuesIn(algorithms::catalogue().begin(), algorithms::catalogue().end()),
                         name_of_case);

// Many ranks, for the algorithms that move few messages and blocks enough.
TEST(CatalogueProof, ManyRanks) {
  constexpr std::int64_t few = 20'000;
  test::Sample sample;
  for (const int ranks : {500, 512}) {
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      if (algorithm->collective == Collective::all_to_all || !sample.takes_next()) continue;
      Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = 2 * ranks + 1, .distance = 201};
      if (has_root(problem.collective)) problem.root = 333;
      if (unmet_need(*algorithm, problem) || algorithm->claims(problem).messages > few) continue;
      const Schedule schedule = record(*algorithm, problem);
      const Proof proof = verify(schedule);
      EXPECT_TRUE(proof.proved()) << describe(problem) << ", " << algorithm->name << ": " << describe(*proof.failure);
      EXPECT_EQ(traffic_of(schedule), algorithm->claims(problem)) << describe(problem) << ", " << algorithm->name;
    }
  }
}

// An algorithm that no case fits would be proved by saying nothing.
TEST(Cases, FitTheAlgorithmAndAreWellFormed) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int ranks : tried_ranks()) {
      algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
        EXPECT_NO_THROW(check(problem)) << describe(problem);
        EXPECT_NO_THROW(check(parameters, ranks)) << describe(parameters);
        EXPECT_FALSE(unmet_need(*algorithm, problem)) << describe(problem);
        EXPECT_EQ(problem.collective, algorithm->collective);
        EXPECT_EQ(problem.ranks, ranks);
      });
    }
  }
}

}  // namespace
}  // namespace tutti
