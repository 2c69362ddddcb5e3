/// @file
/// Plan caches of ever new shapes come to a bound, which the allocator sees.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "algorithms/catalogue.hpp"
#include "plan/plan_cache.hpp"
#include "predict/model/machine_costs.hpp"
#include "predict/model/machine_model.hpp"
#include "support/live_bytes.hpp"
#include "support/sanitizers.hpp"

namespace tutti {
namespace {

/// Bytes that the allocator adds to each block.
constexpr double overhead = 1.15;

Problem all_reduce_of(std::int64_t count) { return {.collective = Collective::all_reduce, .ranks = 2, .count = count}; }
Problem all_to_all_of(std::int64_t count) {
  Problem problem{.collective = Collective::all_to_all, .ranks = 8};
  problem.counts.assign(64, count);
  return problem;
}

TEST(PlanCache, OfEverNewShapesTakeABoundedMemory) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (Problem (*const problem_of)(std::int64_t) : {all_reduce_of, all_to_all_of}) {
    PlanCache plans(0, {}, std::make_unique<MachineModel>(processes_costs, 2));
    plans.find(problem_of(1), {}, 8);  // memory that is made once
    const std::int64_t before = test::live_bytes;
    std::int64_t most = 0;
    std::int64_t at_bound = 0;
    for (std::int64_t count = 2; count < 40'000; ++count) {
      const std::size_t bytes = plans.bytes();
      plans.find(problem_of(count), {}, 8);
      most = std::max<std::int64_t>(most, test::live_bytes - before);
      if (plans.bytes() <= bytes) at_bound = at_bound == 0 ? count : at_bound;
      // The loop goes on as often again as it took to come to the bound.
      if (at_bound > 0 && count > 2 * at_bound) break;
    }
    ASSERT_GT(at_bound, 0) << "the bound was never met";
    EXPECT_LE(static_cast<double>(most), overhead * static_cast<double>(PlanCache::most_bytes));
    RecordProperty("shapes", static_cast<int>(at_bound));
  }
}

TEST(PlanCache, OfAMillionShapesStaysAtItsBound) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  constexpr std::int64_t shapes = 1'000'000;
  constexpr std::int64_t warm = 10'000;  // more than the bound has room for
  PlanCache plans(0, {}, std::make_unique<MachineModel>(processes_costs, 2));
  // Named, because a choice among all algorithms takes ten times as long as what is kept of it.
  const Choice choice(*algorithms::find(Collective::all_reduce, "recursive-doubling"));
  std::int64_t at_bound = 0;
  std::int64_t most = 0;
  for (std::int64_t count = 1; count <= shapes; ++count) {
    plans.by(choice, {.collective = Collective::all_reduce, .ranks = 2, .count = count}, 8);
    std::int64_t& larger = count <= warm ? at_bound : most;
    larger = std::max<std::int64_t>(larger, test::live_bytes);
  }
  EXPECT_GT(static_cast<std::size_t>(at_bound), PlanCache::most_bytes / 2);
  EXPECT_LE(most, at_bound + at_bound / 100);
  EXPECT_LE(plans.bytes(), PlanCache::most_bytes);
}

}  // namespace
}  // namespace tutti
