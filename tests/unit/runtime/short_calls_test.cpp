/// @file
/// Calls whose messages fit into slots: right by every algorithm, however their data lies in pieces.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "support/ranks.hpp"
#include "support/trial.hpp"

namespace tutti {
namespace {

using testing::on_ranks;

constexpr std::uint64_t seed = 83;

/// Equal blocks, an indivisible message, and blocks of which some are empty where the collective has them.
std::vector<Problem> short_problems(Collective collective, int p, int root) {
  std::vector<Problem> problems;
  for (const std::int64_t count : {1, 3})
    problems.push_back({.collective = collective, .ranks = p, .count = count, .root = root});
  Problem uneven = problems.back();
  for (int rank = 0; rank < p; ++rank) uneven.counts.push_back((rank * 5 + 2) % 3);
  const bool has_counts = collective == Collective::scatter || collective == Collective::gather ||
                          collective == Collective::all_gather || collective == Collective::reduce_scatter;
  if (has_counts) problems.push_back(uneven);
  return problems;
}

class ShortCalls : public ::testing::TestWithParam<int> {};

TEST_P(ShortCalls, AreRightByEveryAlgorithm) {
  const int p = GetParam();
  TUTTI_NEEDS_RANKS(p);
  SCOPED_TRACE("seed " + std::to_string(seed));
  on_ranks(p, [p](Communicator& comm) {
    const auto plus = [](std::int64_t a, std::int64_t b) { return a + b; };
    std::uint64_t call = 0;
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      for (const Problem& problem : short_problems(algorithm->collective, p, p - 1)) {
        if (algorithm->collective == Collective::barrier || unmet_need(*algorithm, problem)) continue;
        testing::Trial<std::int64_t, Sum> trial(problem, comm.rank(), seed + call++, sum,
                                                {.algorithm = algorithm->name}, plus);
        trial.run(comm, testing::Form::blocking);
        trial.check();
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, ShortCalls, ::testing::ValuesIn(testing::possible({1, 2, 3, 4, 5, 8})));

}  // namespace
}  // namespace tutti
