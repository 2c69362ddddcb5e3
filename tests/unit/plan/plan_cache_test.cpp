/// @file
/// Choices by a cost model, and the plans that are kept: with a model that counts what it is asked.

#include "plan/plan_cache.hpp"

#include <gtest/gtest.h>

#include <map>

#include "algorithms/catalogue.hpp"
#include "predict/model/machine_costs.hpp"
#include "predict/model/machine_model.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

/// Prices by name, and how often each was asked for.
class ToldModel final : public CostModel {
 public:
  struct Told {
    double at_least = 0;
    double seconds = 1;
  };
  using Prices = std::map<std::string_view, Told>;
  using Asked = std::map<std::string_view, int>;

  ToldModel(Prices prices, Asked& asked) : prices_(std::move(prices)), asked_(asked) {}

  double seconds(const Choice& choice, const Problem&, std::int64_t) const override {
    ++asked_[choice.algorithm->name];
    return told(*choice.algorithm).seconds;
  }
  double at_least(const Choice& choice, const Problem&, std::int64_t) const override {
    return told(*choice.algorithm).at_least;
  }

 private:
  Told told(const Algorithm& algorithm) const {
    const auto found = prices_.find(algorithm.name);
    return found == prices_.end() ? Told() : found->second;
  }

  Prices prices_;
  Asked& asked_;
};

const Problem all_reduce{.collective = Collective::all_reduce, .ranks = 6, .count = 100};

TEST(Choice, OfEqualPricesIsTheFirstInTheCatalogue) {
  ToldModel::Asked asked;
  const Algorithm* const first = algorithms::algorithms_for(Collective::all_reduce).front();
  EXPECT_EQ(choose(all_reduce, {}, 1, ToldModel({}, asked)).algorithm->name, first->name);
  // Also where it is looked at last.
  EXPECT_EQ(choose(all_reduce, {}, 1, ToldModel({{first->name, {0.5, 1}}}, asked)).algorithm->name, first->name);
}

TEST(Choice, DoesNotLookCloserAtWhatIsTooMuchAlready) {
  ToldModel::Asked asked;
  const ToldModel model({{"ring", {0, 0.5}}, {"flat", {5, 0.1}}, {"direct", {0.4, 0.45}}}, asked);
  EXPECT_EQ(choose(all_reduce, {}, 1, model).algorithm->name, "direct");
  EXPECT_EQ(asked["direct"], 1);
  EXPECT_EQ(asked["flat"], 0) << "it costs at least 5, and ring costs 0.5";
}

std::vector<std::shared_ptr<const CachedPlan>> plans_of_all(const Problem& problem) {
  std::vector<std::shared_ptr<const CachedPlan>> all;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    PlanCache plans(rank, {}, std::make_unique<MachineModel>(processes_costs, 2));
    all.push_back(plans.find(problem, {}, 8));
  }
  return all;
}

TEST(PlanCache, HaveOneAlgorithmOnAllRanks) {
  for (const int ranks : {4, 12, 17, 33}) {
    for (const Collective collective : all_collectives()) {
      for (const std::int64_t count : {0, 1, 40, 5000}) {
        Problem problem{.collective = collective, .ranks = ranks, .count = count};
        if (has_root(collective)) problem.root = ranks / 3;
        const auto all = plans_of_all(problem);
        for (const auto& plan : all) {
          ASSERT_EQ(plan->choice, all.front()->choice) << describe(problem);
        }
      }
    }
  }
}

// Parameters are the call's request, and not the problem's: who asks the same with the same request finds the same
// plan, and who wishes for something else another one. Ranks that know nothing of one another's counts choose alike.
TEST(PlanCache, OfOwnCountsHaveOneAlgorithmOnAllRanks) {
  for (int p = 1; p <= 17; ++p) {
    std::string_view name;
    for (int rank = 0; rank < p; ++rank) {
      PlanCache plans(rank, {}, std::make_unique<MachineModel>(threads_costs, 2));
      Problem problem{.collective = Collective::all_to_all, .ranks = p, .known_to = rank};
      for (int count = 0; count < 2 * p; ++count) problem.counts.push_back(rank * 1000 + count);
      const Algorithm& chosen = *plans.find(problem, {}, 8)->choice.algorithm;
      EXPECT_TRUE(chosen.own_blocks_suffice);
      if (rank == 0) name = chosen.name;
      EXPECT_EQ(chosen.name, name) << p << " ranks";
    }
  }
}

TEST(PlanCache, OfCallsThatAskTheSameAreOne) {
  ToldModel::Asked asked;
  PlanCache plans(3, {}, std::make_unique<ToldModel>(ToldModel::Prices{{"mesh", {0, 0.5}}}, asked));
  const Problem problem{.collective = Collective::all_gather, .ranks = 12, .count = 7};
  const Problem again = problem;
  std::vector<std::shared_ptr<const CachedPlan>> found;
  for (const std::string_view algorithm : {"", "mesh", "ring"}) {
    for (const Parameters& parameters : {Parameters{}, Parameters{.segments = 2}, Parameters{.grid = {12, 1}}}) {
      found.push_back(plans.find(problem, {algorithm, parameters}, 8));
      EXPECT_EQ(found.back()->choice.parameters, parameters);
      EXPECT_EQ(found.back()->choice.algorithm->name, algorithm.empty() ? "mesh" : algorithm);
      EXPECT_EQ(plans.find(again, {algorithm, Parameters(parameters)}, 8), found.back());
    }
  }
  for (std::size_t a = 0; a < found.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(found[a], found[b]) << a << " and " << b;
  }
  EXPECT_NE(found[3]->program.ops.size(), found[5]->program.ops.size()) << "a column of 12 ranks has more rounds";
  EXPECT_THROW(plans.find(problem, {"mesh", {.grid = {5, 5}}}, 8), Error);
}

TEST(PlanCache, OfShapesThatRepeatStayAmongEverNewOnes) {
  ToldModel::Asked asked;
  PlanCache plans(1, {}, std::make_unique<ToldModel>(ToldModel::Prices{{"linear", {0, 0.5}}}, asked));
  Problem repeated{.collective = Collective::all_gather, .ranks = 16, .count = 7};
  const auto kept = plans.find(repeated, {}, 8);
  constexpr int calls = 5000;
  for (int call = 0; call < calls; ++call) {
    Problem fresh{.collective = Collective::all_gather, .ranks = 16};
    fresh.counts.assign(16, call + 1);
    plans.find(fresh, {}, 8);
    ASSERT_EQ(plans.find(repeated, {}, 8), kept) << "after " << call << " new shapes";
    ASSERT_LE(plans.bytes(), PlanCache::most_bytes);
  }
  EXPECT_EQ(asked["linear"], calls + 1);
}

TEST(PlanCache, TakeTheirBytesWhateverTheShapesAre) {
  ToldModel::Asked asked;
  PlanCache plans(0, {}, std::make_unique<ToldModel>(ToldModel::Prices{{"linear", {0, 0.5}}}, asked));
  constexpr int ranks = 200;  // 320 KB of counts a shape
  for (int call = 0; call < 40; ++call) {
    Problem problem{.collective = Collective::all_to_all, .ranks = ranks};
    problem.counts.assign(std::size_t{ranks} * ranks, call + 1);
    const auto plan = plans.find(problem, {}, 8);
    EXPECT_EQ(plans.find(problem, {}, 8), plan);
    EXPECT_LE(plans.bytes(), PlanCache::most_bytes);
    EXPECT_GE(plans.bytes(), problem.counts.size() * sizeof(std::int64_t));
  }
}

TEST(PlanCache, OfAShapeThatAloneIsTooLargeIsKeptUntilTheNext) {
  ToldModel::Asked asked;
  PlanCache plans(0, {}, std::make_unique<ToldModel>(ToldModel::Prices{{"linear", {0, 0.5}}}, asked));
  constexpr int ranks = 800;  // 5 MB of counts
  Problem problem{.collective = Collective::all_to_all, .ranks = ranks};
  problem.counts.assign(std::size_t{ranks} * ranks, 1);
  const auto plan = plans.find(problem, {}, 8);
  EXPECT_EQ(plans.find(problem, {}, 8), plan);
  plans.find(all_reduce, {}, 8);
  EXPECT_LT(plans.bytes(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace tutti
