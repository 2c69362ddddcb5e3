/// @file
/// The ranking of all algorithms that fit, where the runner-up would win, and what is said of it.

#include "plan/ranking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/catalogue.hpp"
#include "plan/explanation.hpp"
#include "plan/plan_cache.hpp"
#include "predict/model/machine_model.hpp"
#include "support/sanitizers.hpp"

namespace tutti {
namespace {

const MachineCosts* const all_costs[] = {&threads_costs, &processes_costs, &mpi_costs};

Problem problem_of(Collective collective, int ranks, std::int64_t count) {
  Problem problem{.collective = collective, .ranks = ranks, .count = count, .root = ranks / 2};
  if (!has_root(collective)) problem.root = 0;
  if (collective == Collective::shift) problem.distance = 1;
  if (collective == Collective::barrier) problem.count = 0;
  return problem;
}

template <typename See>
void for_each_problem(const std::vector<int>& all_ranks, const See& see) {
  for (const int ranks : all_ranks) {
    for (const Collective collective : all_collectives()) {
      for (const std::int64_t count : {0, 1, 3, 64, 1000, 40'000}) see(problem_of(collective, ranks, count));
    }
  }
}

TEST(Ranking, BeginsWithWhatIsChosen) {
  test::Sample sample;
  for (const MachineCosts* costs : all_costs) {
    for (const int cores : {1, 2, 64}) {
      const MachineModel model(*costs, cores);
      for_each_problem({1, 2, 3, 4, 8, 9, 16}, [&](const Problem& problem) {
        if (!sample.takes_next()) return;
        const std::vector<Priced> ranking = ranking_of(problem, {}, 8, model);
        EXPECT_EQ(ranking.front().choice, choose(problem, {}, 8, model)) << describe(problem);
        EXPECT_EQ(ranking.size(), candidates_for(problem, Layout{}).size());
        for (std::size_t k = 1; k < ranking.size(); ++k)
          EXPECT_FALSE(is_cheaper(ranking[k].seconds, ranking[k - 1].seconds)) << describe(problem);
      });
    }
  }
}

/// Prices that are equal but for rounding: which is lower changes from size to size.
class RoundedModel final : public CostModel {
 public:
  double seconds(const Choice& choice, const Problem& problem, std::int64_t) const override {
    const auto name = static_cast<double>(choice.algorithm->name.size());
    return 1e-6 * (1 + 1e-14 * std::sin(static_cast<double>(problem.count) * name));
  }
};

TEST(Ranking, GoesByTheCatalogueWherePricesAreEqualButForRounding) {
  const RoundedModel model;
  for (std::int64_t count = 1; count < 200; ++count) {
    const Problem problem = problem_of(Collective::all_reduce, 6, count);
    const std::vector<const Algorithm*> candidates = candidates_for(problem, Layout{});
    EXPECT_EQ(choose(problem, {}, 8, model).algorithm, candidates.front()) << count;
    const std::vector<Priced> ranking = ranking_of(problem, {}, 8, model);
    for (std::size_t k = 0; k < ranking.size(); ++k) EXPECT_EQ(ranking[k].choice.algorithm, candidates[k]) << count;
    EXPECT_THAT(text_of(explain(problem, ranking[0].choice, {}, {}, 8, model, CrossoverSearch::other_sizes)),
                testing::HasSubstr("are predicted to take equally long"));
  }
}

TEST(Ranking, SaysWhatAlgorithmsMakeOfTheirParameters) {
  const auto words = [](std::string_view name, const Problem& problem, const Parameters& parameters) {
    return parameters_in_words({*algorithms::find(problem.collective, name), parameters}, problem);
  };
  const Problem broadcast{.collective = Collective::broadcast, .ranks = 6, .count = 5};
  EXPECT_EQ(words("binomial", broadcast, {}), "");
  EXPECT_EQ(words("mesh", broadcast, {}), "grid 2x3");
  EXPECT_EQ(words("mesh", broadcast, {.grid = Shape({3, 2})}), "grid 3x2");
  EXPECT_EQ(words("chain", broadcast, {}), "5 segments") << "as many as there are elements";
  EXPECT_EQ(words("chain", broadcast, {.segments = 1}), "1 segment");
}

// The sizes at which the runner-up overtakes are exact: it wins there and does not one element nearer.
TEST(Crossover, IsWhereTheOtherBeginsToWin) {
  for (const MachineCosts* costs : all_costs) {
    const MachineModel model(*costs, 4);
    int found_some = 0;
    for_each_problem({2, 3, 4, 8}, [&](const Problem& problem) {
      const std::vector<Priced> ranking = ranking_of(problem, {}, 8, model);
      if (ranking.size() < 2 || !is_cheaper(ranking[0].seconds, ranking[1].seconds)) return;
      const Choice& first = ranking[0].choice;
      const Choice& second = ranking[1].choice;
      const auto wins = [&](std::int64_t count) {
        Problem sized = problem;
        sized.count = count;
        return is_cheaper(model.seconds(second, sized, 8), model.seconds(first, sized, 8));
      };
      const Crossover found = crossover(first, second, problem, 8, model);
      if (found.at_most) {
        ++found_some;
        EXPECT_LT(*found.at_most, problem.count);
        EXPECT_TRUE(wins(*found.at_most)) << describe(problem);
        EXPECT_FALSE(wins(*found.at_most + 1)) << describe(problem);
      }
      if (found.at_least) {
        ++found_some;
        EXPECT_GT(*found.at_least, problem.count);
        EXPECT_TRUE(wins(*found.at_least)) << describe(problem);
        EXPECT_FALSE(wins(*found.at_least - 1)) << describe(problem);
      }
    });
    EXPECT_GT(found_some, 0);
  }
}

TEST(Crossover, IsNotLookedForWhereCountsDiffer) {
  const MachineModel model(threads_costs, 4);
  const Problem problem{.collective = Collective::all_gather, .ranks = 3, .counts = {1, 2, 3}};
  const std::vector<Priced> ranking = ranking_of(problem, {}, 8, model);
  const Crossover found = crossover(ranking[0].choice, ranking[1].choice, problem, 8, model);
  EXPECT_FALSE(found.at_most || found.at_least);
}

std::string told(const Problem& problem, std::string_view name, std::string by) {
  const MachineModel model(threads_costs, threads_costs, 2, {}, "threads on 2 cores, built-in costs");
  const Choice chosen =
      name.empty() ? choose(problem, {}, 8, model) : Choice(*algorithms::find(problem.collective, name));
  return text_of(explain(problem, chosen, std::move(by), {}, 8, model, CrossoverSearch::other_sizes));
}

TEST(Explanation, SaysWhatWasAskedAndByWhichCosts) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 4, .count = 128};
  const std::string text = told(problem, {}, {});
  EXPECT_THAT(text, testing::StartsWith("all-gather of 128 elements over 4 ranks (1KiB a block); threads on 2 cores, "
                                        "built-in costs\nALGORITHM"));
  for (const Algorithm* algorithm : candidates_for(problem, Layout{})) {
    EXPECT_THAT(text, testing::HasSubstr("\n" + std::string(algorithm->name) + " "));
  }
  EXPECT_THAT(text, testing::HasSubstr(" wins: it is predicted to be "));
  EXPECT_THAT(text, testing::ContainsRegex("the runner-up: .*\\. [a-z-]+ would win "));
  EXPECT_THAT(text, testing::EndsWith(".\n"));
}

TEST(Explanation, SaysWhoNamedTheAlgorithmAndWhatTheModelWouldTake) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 4, .count = 100'000};
  const MachineModel model(threads_costs, 2);
  const std::string_view best = choose(problem, {}, 8, model).algorithm->name;
  EXPECT_THAT(told(problem, best, "the call"),
              testing::HasSubstr(std::string(best) + " is what the call names; the model would take it, too."));
  const std::string_view worst = ranking_of(problem, {}, 8, model).back().choice.algorithm->name;
  EXPECT_THAT(told(problem, worst, "TUTTI_ALGORITHM_ALL_REDUCE"),
              testing::ContainsRegex(std::string(worst) + " is what TUTTI_ALGORITHM_ALL_REDUCE names; " +
                                     std::string(best) + " is predicted to be [0-9.]+ times as fast as it: "));
}

TEST(Explanation, IsThereForEveryCall) {
  for_each_problem({1, 2, 5}, [&](const Problem& problem) {
    const std::string text = told(problem, {}, {});
    EXPECT_THAT(text, testing::EndsWith(".\n")) << text;
    EXPECT_THAT(text, testing::Not(testing::AnyOf(testing::HasSubstr("nan"), testing::HasSubstr("inf")))) << text;
  });
}

TEST(PlanCache, TellEachPlanOfACallOnceAndNoneOfTheirOwn) {
  std::vector<std::string> texts;
  PlanCache plans(0, {}, std::make_unique<MachineModel>(threads_costs, 2),
                  [&](const std::string& text) { texts.push_back(text); });
  const Problem problem{.collective = Collective::all_reduce, .ranks = 4, .count = 10};
  plans.cheapest(problem, 8);
  EXPECT_TRUE(texts.empty()) << "what the library sends by itself is no plan of the program";
  plans.find(problem, {}, 8);
  plans.find(problem, {}, 8);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts.front(), plans.explanation(problem, {}, 8));
  plans.find(problem, {.algorithm = "ring"}, 8);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_THAT(texts.back(), testing::HasSubstr("ring is what the call names"));
}

}  // namespace
}  // namespace tutti
