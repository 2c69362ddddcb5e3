/// @file
/// Calibration: a fit finds the costs that made what was measured, and a brief look is believed where it can be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "plan/choice.hpp"
#include "predict/profile/calibration.hpp"
#include "support/sanitizers.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;

std::vector<Observation> observed(const MachineCosts& costs, const std::vector<int>& all_ranks = {2, 4}) {
  std::vector<Observation> observations;
  using enum Collective;
  for (const int ranks : all_ranks) {
    for (const Collective collective : {broadcast, all_reduce, all_gather}) {
      for (const std::int64_t count : {1, 100, 1000, 4000, 100'000}) {
        const Problem problem{.collective = collective, .ranks = ranks, .count = count};
        for (const Algorithm* algorithm : candidates_for(problem, Layout{}))
          observations.push_back({*algorithm, problem, 8, 2, 0});
      }
    }
  }
  const std::vector<double> seconds = predictions(costs, observations);
  for (std::size_t k = 0; k < seconds.size(); ++k) observations[k].seconds = seconds[k];
  return observations;
}

TEST(Fit, FindsCostsThatPredictWhatWasMeasured) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-1.5, 1.5);
  MachineCosts costs = threads_costs;
  for (const CostField& field : cost_fields()) costs.*field.value *= std::exp2(exponent(random));
  const std::vector<Observation> observations = observed(costs);
  const MeasuredCosts found = fit(threads_costs, observations);
  EXPECT_EQ(found.observations, static_cast<int>(observations.size()));
  EXPECT_LT(found.median_error, 0.05);
  EXPECT_LT(found.worst_error, 0.15);
  EXPECT_EQ(found.costs.short_bytes, threads_costs.short_bytes);
  // Constants that fit already stay.
  EXPECT_EQ(fit(threads_costs, observed(threads_costs)).median_error, 0);
}

// Ranks that share cores hide what waiting costs: one set of costs cannot say both.
TEST(Fit, FindsCostsOfSharedCoresApart) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  MachineCosts shared = threads_costs;
  shared.latency /= 8;
  shared.rendezvous /= 4;
  shared.combine_byte *= 3;
  std::vector<Observation> both = observed(threads_costs, {2});
  for (const Observation& each : observed(shared, {4})) both.push_back(each);
  const MeasuredCosts apart = fit_by_cores(threads_costs, both);
  ASSERT_TRUE(apart.on_shared_cores);
  EXPECT_EQ(apart.costs.latency, threads_costs.latency) << "what fits already stays";
  EXPECT_LT(apart.worst_error, 0.1);
  EXPECT_EQ(apart.observations, static_cast<int>(both.size()));
  EXPECT_GT(fit(threads_costs, both).worst_error, 2 * apart.worst_error);
  const std::vector<double> predicted = predictions(apart, both);
  EXPECT_EQ(predicted.front(), predictions(apart.costs, both).front());
  EXPECT_EQ(predicted.back(), predictions(*apart.on_shared_cores, both).back());
  EXPECT_FALSE(fit_by_cores(threads_costs, observed(shared, {2})).on_shared_cores) << "nobody shared a core";
}

TEST(Fit, LearnsOfTurnsAloneFromAFewCallsOnSharedCores) {
  MachineCosts shared = threads_costs;
  shared.turn *= 2;
  shared.latency /= 8;
  std::vector<Observation> both = observed(threads_costs, {2});
  for (const Observation& each : observed(shared, {4})) both.push_back(each);
  const MachineCosts found = fit_briefly(threads_costs, both).costs;
  EXPECT_EQ(found.latency, threads_costs.latency);
  EXPECT_GT(found.turn, 1.5 * threads_costs.turn);
}

// By ranks that have their cores alone what `alone` is cannot be told from the prices of bytes.
TEST(Fit, LeavesWhatItsObservationsDoNotTell) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  MachineCosts costs = threads_costs;
  costs.byte *= 3;
  EXPECT_EQ(fit(threads_costs, observed(costs, {2})).costs.alone, threads_costs.alone);
  EXPECT_EQ(fit(threads_costs, observed(costs, {4})).costs.alone, threads_costs.alone);
  costs.alone /= 2;
  EXPECT_LT(fit(threads_costs, observed(costs, {2, 4})).costs.alone, 0.8 * threads_costs.alone);
}

std::vector<double> seconds_in(const std::vector<Observation>& observations) {
  std::vector<double> seconds;
  for (const Observation& each : observations) seconds.push_back(each.seconds);
  return seconds;
}

TEST(QuickCalibration, KeepsBuiltInCostsThatFit) {
  const std::vector<Observation> observations = observed(processes_costs, {2});
  std::vector<double> again = seconds_in(observations);
  for (double& seconds : again) seconds *= 1.1;  // less than what disturbs
  const QuickCalibration found = quick_calibration(processes_costs, {observations, again, 0.95});
  EXPECT_FALSE(found.costs);
  EXPECT_THAT(found.words, HasSubstr("which fit this machine"));
}

TEST(QuickCalibration, BelievesNothingThatDiffersFromPassToPass) {
  for (const double factor : {1.0, 3.0}) {
    MachineCosts costs = processes_costs;
    for (const CostField& field : cost_fields()) costs.*field.value *= factor;
    const std::vector<Observation> observations = observed(costs, {2});
    for (const double more : {0.5, 2.0}) {
      std::vector<double> again = seconds_in(observations);
      for (double& seconds : again) seconds *= more;
      const QuickCalibration found = quick_calibration(processes_costs, {observations, again, 0.95});
      EXPECT_FALSE(found.costs);
      EXPECT_THAT(found.words, HasSubstr("disturbed"));
    }
  }
}

// Other work slows both passes alike.
TEST(QuickCalibration, BelievesNothingOfRanksThatLackedTheirCores) {
  MachineCosts costs = processes_costs;
  for (const CostField& field : cost_fields()) costs.*field.value *= 3;
  const std::vector<Observation> observations = observed(costs, {2});
  EXPECT_TRUE(quick_calibration(processes_costs, {observations, seconds_in(observations), 0.95}).costs);
  const QuickCalibration found = quick_calibration(processes_costs, {observations, seconds_in(observations), 0.8});
  EXPECT_FALSE(found.costs);
  EXPECT_THAT(found.words, HasSubstr("disturbed"));
}

TEST(QuickCalibration, BelievesNothingThatNoCostsPredict) {
  std::vector<Observation> observations = observed(processes_costs, {2});
  std::mt19937 random(2);
  std::uniform_real_distribution<double> exponent(-4, 4);
  for (Observation& each : observations) each.seconds *= std::exp2(exponent(random));
  EXPECT_FALSE(quick_calibration(processes_costs, {observations, seconds_in(observations), 1}).costs);
}

TEST(QuickCalibration, FindsCostsOfAnotherMachine) {
  MachineCosts costs = processes_costs;
  for (const CostField& field : cost_fields()) costs.*field.value *= 3;
  const std::vector<Observation> observations = observed(costs, {2});
  std::vector<double> again = seconds_in(observations);
  again[0] *= 10;  // one call that was disturbed
  const QuickCalibration found = quick_calibration(processes_costs, {observations, again, 0.95});
  ASSERT_TRUE(found.costs);
  EXPECT_EQ(found.words, "");
  EXPECT_LT(found.costs->median_error, 0.05);
}

}  // namespace
}  // namespace tutti
