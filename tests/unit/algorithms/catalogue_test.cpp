/// @file
/// The catalogue: its rows are complete and unambiguous, and what does not exist or does not fit is refused with a
/// remedy.

#include "algorithms/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "algorithms/cases.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/problem_blocks.hpp"
#include "tutti/error.hpp"

namespace tutti::algorithms {
namespace {

Error error_of(const Problem& problem, std::string_view name) {
  try {
    fitting(problem, name);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::internal, "no error"};
}

TEST(Catalogue, HasAlgorithmsForEveryCollectiveInOrder) {
  std::vector<Collective> order;
  for (const Algorithm* algorithm : catalogue()) {
    if (order.empty() || order.back() != algorithm->collective) order.push_back(algorithm->collective);
  }
  const auto all = all_collectives();
  EXPECT_EQ(order, std::vector<Collective>(all.begin(), all.end()));
}

TEST(Catalogue, EveryRowIsComplete) {
  for (const Algorithm* algorithm : catalogue()) {
    SCOPED_TRACE(std::string(name_of(algorithm->collective)) + " " + std::string(algorithm->name));
    for (const std::string_view text : {algorithm->name, algorithm->summary, algorithm->when, algorithm->source}) {
      EXPECT_FALSE(text.empty());
    }
    for (const std::string_view sentence : {algorithm->summary, algorithm->when})
      EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    EXPECT_TRUE(algorithm->record);
    EXPECT_TRUE(algorithm->claims);
  }
}

// Known blocks, found while all ranks are recorded, are those that each rank finds by itself.
TEST(Catalogue, CachedBlocksChangeNoProgram) {
  int recorded = 0;
  for (const Algorithm* algorithm : catalogue()) {
    for (const int ranks : {1, 2, 5, 8}) {
      for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
        if (problem.counts.empty()) return;
        const Choice choice(*algorithm, parameters);
        Schedule alone{problem, {}};
        for (int rank = 0; rank < ranks; ++rank) record_rank(choice, problem, rank, alone.programs.emplace_back());
        EXPECT_EQ(text_of(record_all(choice, problem)), text_of(alone)) << algorithm->name << ", " << describe(problem);
        ++recorded;
      });
    }
  }
  EXPECT_GT(recorded, 100);
}

TEST(ProblemScope, HasTheBlocksOfItsProblemAlone) {
  const Problem gather{.collective = Collective::gather, .ranks = 3, .counts = {3, 0, 5}};
  const Problem other{.collective = Collective::all_gather, .ranks = 2, .counts = {1, 2}};
  RecordingContext context;
  EXPECT_EQ(context.blocks(), nullptr);
  {
    const ProblemScope scope(context, gather);
    BlockCache* const blocks = context.blocks();
    ASSERT_NE(blocks, nullptr);
    ASSERT_NE(blocks->of(gather), nullptr);
    EXPECT_EQ(blocks->of(gather)->first(3), 8);
    EXPECT_EQ(blocks->of(Problem(gather)), nullptr) << "a copy may be changed";
    const Problem* dual = blocks->dual_of(gather, [&] { return related(gather, Collective::scatter); });
    ASSERT_NE(dual, nullptr);
    EXPECT_EQ(dual->collective, Collective::scatter);
    EXPECT_EQ(blocks->dual_of(gather, [] { return Problem(); }), dual) << "made once";
    EXPECT_EQ(blocks->of(*dual)->first(3), 8);
    {
      const ProblemScope inner(context, other);
      EXPECT_EQ(context.blocks()->of(gather), nullptr);
      EXPECT_EQ(all_blocks(other, context.blocks()).total(), 3);
    }
    EXPECT_EQ(context.blocks(), blocks);
    EXPECT_EQ(all_blocks(gather, blocks).total(), 8);
  }
  EXPECT_EQ(context.blocks(), nullptr);
}

TEST(Catalogue, EveryNameAndAliasMeansOneAlgorithm) {
  std::set<std::pair<Collective, std::string_view>> taken;
  for (const Algorithm* algorithm : catalogue()) {
    std::vector<std::string_view> names = algorithm->aliases;
    names.push_back(algorithm->name);
    for (const std::string_view name : names) {
      EXPECT_TRUE(taken.emplace(algorithm->collective, name).second) << name_of(algorithm->collective) << " " << name;
      EXPECT_EQ(find(algorithm->collective, name), algorithm) << name;
      EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos) << name;
    }
  }
}

TEST(Catalogue, FitsEveryCollectiveOnAnyRanks) {
  for (const Collective collective : all_collectives()) {
    for (int p = 1; p <= 17; ++p) {
      const Problem problem{.collective = collective, .ranks = p, .count = 3, .commutative = false};
      const auto candidates = algorithms_for(collective);
      EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), [&](const Algorithm* a) {
        return !unmet_need(*a, problem);
      })) << describe(problem);
    }
  }
}

TEST(Fitting, RefusesAnUnknownNameWithTheNearest) {
  const Problem problem{.collective = Collective::barrier, .ranks = 4};
  EXPECT_EQ(find(Collective::barrier, "disemination"), nullptr);
  const Error error = error_of(problem, "disemination");
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(error.what(), "barrier has no algorithm 'disemination'; the nearest is 'dissemination'");
}

// The algorithm that is named instead must itself fit, for every algorithm with a need and for problems that break each
// need.
TEST(Fitting, RefusesAnUnmetNeedWithAnAlgorithmThatFits) {
  int refused = 0;
  for (const Algorithm* algorithm : catalogue()) {
    for (int p = 1; p <= 17; ++p) {
      const Problem problem{.collective = algorithm->collective, .ranks = p, .count = 3, .commutative = false};
      const auto need = unmet_need(*algorithm, problem);
      if (!need) {
        EXPECT_EQ(&fitting(problem, algorithm->name), algorithm);
        continue;
      }
      ++refused;
      const Error error = error_of(problem, algorithm->name);
      const std::string sentence = error.what();
      EXPECT_EQ(error.code(), ErrorCode::unsupported);
      EXPECT_THAT(sentence, testing::HasSubstr(std::string(describe(*need))));
      const std::size_t begin = sentence.find('\'') + 1;
      const Algorithm* instead = find(problem.collective, sentence.substr(begin, sentence.find('\'', begin) - begin));
      ASSERT_NE(instead, nullptr) << sentence;
      EXPECT_FALSE(unmet_need(*instead, problem)) << sentence;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(Fitting, NamesTheAlgorithmThatCostsMostNearlyTheSame) {
  EXPECT_THAT(error_of({.collective = Collective::all_to_all, .ranks = 6, .count = 1}, "hypercube").what(),
              testing::HasSubstr("'bruck'"));
  EXPECT_THAT(error_of({.collective = Collective::all_gather, .ranks = 6, .count = 1}, "recursive-doubling").what(),
              testing::HasSubstr("'bruck'"));
}

}  // namespace
}  // namespace tutti::algorithms
