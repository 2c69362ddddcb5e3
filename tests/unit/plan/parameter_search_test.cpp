/// @file
/// Parameters that are searched: the cheapest are found where prices fall and then rise, what is given stays, and a
/// choice is never dearer than the usual one.

#include "plan/choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "plan/ranking.hpp"
#include "predict/model/machine_model.hpp"

namespace tutti {
namespace {

/// Least at one number of segments, at one number of rows and at one radix.
class BowlModel final : public CostModel {
 public:
  BowlModel(int segments, int rows, int radix = 4) : segments_(segments), rows_(rows), radix_(radix) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t) const override {
    const double segments = std::log2(choice.parameters.segments_for(problem.count)) - std::log2(segments_);
    const double rows = std::log2(choice.parameters.grid_for(problem.ranks).extent(0)) - std::log2(rows_);
    const double radix = std::log2(choice.parameters.radix_for(problem.ranks)) - std::log2(radix_);
    return 1 + segments * segments + rows * rows + radix * radix;
  }

 private:
  int segments_;
  int rows_;
  int radix_;
};

PricedChoice searched(const Problem& problem, std::string_view name, const Parameters& parameters,
                      const CostModel& model) {
  const Choice choice(algorithms::fitting(problem, name), parameters);
  RecordingContext context;
  return search_parameters(context, {choice, model.seconds(choice, problem, 8)}, problem, 8, model);
}

const Problem broadcast{.collective = Collective::broadcast, .ranks = 12, .count = 10'000};

TEST(ParameterSearch, FindsTheCheapestNumberOfSegments) {
  for (const int segments : {1, 2, 4, 16, 32, 64}) {
    EXPECT_EQ(searched(broadcast, "chain", {}, BowlModel(segments, 3)).choice.parameters.segments, segments);
    EXPECT_EQ(
        searched(broadcast, "chain", {.segments = 5, .grid = {}}, BowlModel(segments, 3)).choice.parameters.segments, 5)
        << "it was given";
  }
  EXPECT_EQ(searched(broadcast, "chain", {}, BowlModel(8, 3)).choice.parameters, Parameters()) << "the usual one";
  Problem tiny = broadcast;
  tiny.count = 3;
  EXPECT_LE(searched(tiny, "chain", {}, BowlModel(64, 3)).choice.parameters.segments, 3);
}

TEST(ParameterSearch, FindsTheCheapestGrid) {
  for (const int rows : {1, 2, 4, 6, 12})
    EXPECT_EQ(searched(broadcast, "mesh", {}, BowlModel(8, rows)).choice.parameters.grid, Shape({rows, 12 / rows}));
  EXPECT_EQ(searched(broadcast, "mesh", {.grid = Shape({6, 2})}, BowlModel(8, 1)).choice.parameters.grid,
            Shape({6, 2}));
}

TEST(ParameterSearch, FindsTheCheapestRadix) {
  for (const int radix : {2, 8})
    EXPECT_EQ(searched(broadcast, "k-nomial", {}, BowlModel(8, 3, radix)).choice.parameters.radix, radix);
  EXPECT_EQ(searched(broadcast, "k-nomial", {}, BowlModel(8, 3)).choice.parameters, Parameters()) << "the usual one";
  EXPECT_EQ(searched(broadcast, "k-nomial", {.radix = 3}, BowlModel(8, 3, 8)).choice.parameters.radix, 3);
  EXPECT_LE(searched(broadcast, "k-nomial", {}, BowlModel(8, 3, 64)).choice.parameters.radix, broadcast.ranks);
}

TEST(ParameterSearch, LooksAtNothingElse) {
  EXPECT_EQ(searched(broadcast, "binomial", {}, BowlModel(64, 12, 2)).choice.parameters, Parameters());
}

/// So much for each segment, and so much for what all wait for the first one.
class PipelineModel final : public CostModel {
 public:
  PipelineModel(double each, double first) : each_(each), first_(first) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t) const override {
    ++asked;
    const double segments = choice.parameters.segments_for(problem.count);
    return 1 + each_ * segments + first_ / segments;
  }

  mutable int asked = 0;

 private:
  double each_;
  double first_;
};

TEST(ParameterSearch, EndsWhereMoreSegmentsCannotBeatOthers) {
  const Choice chain = algorithms::fitting(broadcast, "chain");
  int spared = 0;
  for (const double each : {1e-3, 1e-2, 1e-1}) {
    for (const double first : {0.1, 1.0, 10.0, 100.0}) {
      const PipelineModel model(each, first);
      const PricedChoice usual{chain, model.seconds(chain, broadcast, 8)};
      model.asked = 0;
      RecordingContext context;
      const double least = search_parameters(context, usual, broadcast, 8, model).seconds;
      const int asked = std::exchange(model.asked, 0);
      for (const double to_beat : {0.5 * least, 0.99 * least, least, 1.01 * least, 2 * least}) {
        const double found = search_parameters(context, usual, broadcast, 8, model, to_beat).seconds;
        EXPECT_TRUE(found == least || is_cheaper(to_beat, least)) << each << ", " << first << ": " << to_beat;
        const int asked_then = std::exchange(model.asked, 0);
        EXPECT_LE(asked_then, asked);
        spared += asked - asked_then;
      }
    }
  }
  EXPECT_GT(spared, 0);
}

// Short messages cost less at once, though the step before spared little.
TEST(ParameterSearch, GoesOnToSegmentsThatAreShort) {
  const MachineModel model(system_copies_costs, 64);
  for (const std::int64_t count : {480'000, 490'000, 500'000, 510'000}) {
    const Problem problem{.collective = Collective::reduce, .ranks = 9, .count = count};
    EXPECT_EQ(choose(problem, {}, 8, model), ranking_of(problem, {}, 8, model).front().choice) << describe(problem);
  }
}

/// Falls from three rows either way, down to `few` at one row and to `many` at twelve.
class RidgeModel final : public CostModel {
 public:
  RidgeModel(double few, double many) : few_(few), many_(many) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t) const override {
    const double steps = std::log(choice.parameters.grid_for(problem.ranks).extent(0) / 3.0);
    return 1 - (steps < 0 ? (1 - few_) * steps / std::log(1 / 3.0) : (1 - many_) * steps / std::log(4.0));
  }

 private:
  double few_;
  double many_;
};

TEST(ParameterSearch, GoesBothWaysWhateverThereIsToBeat) {
  const Choice mesh = algorithms::fitting(broadcast, "mesh");
  for (const double few : {0.5, 0.7, 0.9}) {
    for (const double many : {0.4, 0.6, 0.8}) {
      const RidgeModel model(few, many);
      for (const double to_beat : {no_limit, std::max(few, many), std::min(few, many)}) {
        RecordingContext context;
        const PricedChoice found = search_parameters(context, {mesh, 1}, broadcast, 8, model, to_beat);
        EXPECT_EQ(found.choice.parameters.grid, few < many ? Shape({1, 12}) : Shape({12, 1})) << few << ", " << many;
      }
    }
  }
}

// No algorithm is chosen at a higher price than the cheapest has by its usual parameters, and some gain.
TEST(ParameterSearch, MakesChoicesCheaper) {
  int cheaper = 0;
  for (const MachineCosts* costs : {&threads_costs, &processes_costs, &mpi_costs}) {
    const MachineModel model(*costs, 8);
    for (const Collective collective : all_collectives()) {
      for (const int ranks : {2, 4, 8, 12}) {
        for (const std::int64_t count : {1, 1000, 100'000}) {
          Problem problem{.collective = collective, .ranks = ranks, .count = count};
          if (collective == Collective::barrier) problem.count = 0;
          if (collective == Collective::shift) problem.distance = 1;
          double usual = HUGE_VAL;
          for (const Algorithm* algorithm : candidates_for(problem, Layout{}))
            usual = std::min(usual, model.seconds(*algorithm, problem, 8));
          const Choice chosen = choose(problem, {}, 8, model);
          const double found = model.seconds(chosen, problem, 8);
          EXPECT_LE(found, usual * (1 + 1e-9)) << describe(problem);
          EXPECT_EQ(ranking_of(problem, {}, 8, model).front().choice, chosen) << describe(problem);
          cheaper += is_cheaper(found, usual) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(cheaper, 0);
}

void expect_first_of_ranking_chosen(const MachineModel& model) {
  const int ranks = model.layout().size();
  for (const Collective collective :
       {Collective::broadcast, Collective::reduce, Collective::scatter, Collective::gather, Collective::all_gather}) {
    for (const std::int64_t count : {1, 500, 7'000, 200'000, 1'500'000, 4'000'000}) {
      Problem problem{.collective = collective, .ranks = ranks, .count = count};
      if (has_blocks(collective)) problem.count = (count + ranks - 1) / ranks;
      EXPECT_EQ(choose(problem, {}, 8, model), ranking_of(problem, {}, 8, model).front().choice)
          << describe(problem) << " on " << model.layout().nodes() << " nodes";
    }
  }
}

// A price to beat spares prices, but never leads elsewhere than searches without it.
TEST(ParameterSearch, LeadsToTheFirstOfTheRankingOverNodes) {
  for (const auto& [nodes, ranks_of_a_node] : {std::pair{24, 2}, {8, 8}, {3, 32}, {6, 16}}) {
    const std::vector<int> each(static_cast<std::size_t>(nodes), ranks_of_a_node);
    for (const int cores : {2, 1000})
      expect_first_of_ranking_chosen(MachineModel(threads_costs, mpi_costs, cores, Layout::of_nodes(each)));
  }
}

}  // namespace
}  // namespace tutti
