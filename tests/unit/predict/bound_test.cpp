/// @file
/// No algorithm is priced below what the same constants say that every schedule needs.

#include "predict/model/bound.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "predict/model/machine_model.hpp"

namespace tutti {
namespace {

template <typename See>
void for_each_price(const std::vector<int>& all_ranks, const See& see) {
  for (const MachineCosts* costs : {&threads_costs, &processes_costs, &mpi_costs}) {
    for (const int cores : {1, 2, 4, 64}) {
      const MachineModel model(*costs, cores);
      for (const int ranks : all_ranks) {
        for (const Algorithm* algorithm : algorithms::catalogue()) {
          for (const std::int64_t count : {0, 1, 5, 100, 3000, 200'000}) {
            Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = count, .distance = 1};
            if (problem.collective == Collective::barrier) problem.count = 0;
            if (problem.collective != Collective::shift) problem.distance = 0;
            if (unmet_need(*algorithm, problem)) continue;
            see(model, *algorithm, problem);
          }
        }
      }
    }
  }
}

TEST(Bound, IsNotAboveAnyPlayedPrice) {
  constexpr double rounding = 1 + 1e-9;
  for_each_price({1, 2, 3, 4, 5, 7, 8},
                 [&](const MachineModel& model, const Algorithm& algorithm, const Problem& problem) {
                   EXPECT_LE(model.bound(problem, 8), model.seconds(algorithm, problem, 8) * rounding)
                       << algorithm.name << ": " << describe(problem);
                 });
}

/// Problems of so many elements in all, the same over and over or dealt out as evenly as can be.
Problem of_elements(Collective collective, int ranks, std::int64_t elements) {
  Problem problem{.collective = collective, .ranks = ranks, .count = elements};
  if (collective == Collective::barrier) problem.count = 0;
  if (collective == Collective::shift) problem.distance = 1;
  if (has_root(collective)) problem.root = ranks / 2;
  if (!has_blocks(collective) || collective == Collective::all_to_all) return problem;
  problem.count = elements / ranks;
  problem.extra = elements % ranks;
  return problem;
}

void expect_is_not_above(const MachineModel& model, const Problem& problem) {
  constexpr double rounding = 1 + 1e-9;
  const double bound = model.bound(problem, 8);
  for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
    if (unmet_need(*algorithm, problem, model.layout())) continue;
    EXPECT_LE(bound, model.seconds(*algorithm, problem, 8) * rounding) << algorithm->name << ": " << describe(problem);
  }
}

TEST(Bound, IsNotAboveAnyPriceOfFewerElementsThanRanks) {
  for (const Collective collective : all_collectives()) {
    for (int ranks = 1; ranks <= 40; ranks += ranks < 10 ? 1 : 5) {
      for (const int cores : {2, 64}) {
        const MachineModel model(processes_costs, cores);
        for (std::int64_t elements = 0; elements <= ranks + 1; elements += elements < 4 ? 1 : ranks / 4 + 1)
          expect_is_not_above(model, of_elements(collective, ranks, elements));
        expect_is_not_above(model, of_elements(collective, ranks, ranks + 1));
      }
    }
  }
}

TEST(Bound, IsNotAboveAnyPriceWhereSomeBlocksAreEmpty) {
  const MachineModel model(processes_costs, 2);
  for (const Collective collective : all_collectives()) {
    if (!has_blocks(collective)) continue;
    for (int ranks = 2; ranks <= 8; ranks += 3) {
      const int blocks = collective == Collective::all_to_all ? ranks * ranks : ranks;
      for (int filled = 0; filled < blocks; ++filled) {
        Problem problem = of_elements(collective, ranks, 0);
        problem.counts.assign(static_cast<std::size_t>(blocks), 0);
        for (const int block : {filled, filled * 3 / 4}) problem.counts[static_cast<std::size_t>(block)] = 1000;
        expect_is_not_above(model, problem);
      }
    }
  }
}

TEST(Bound, IsThereWhereSomethingMustMove) {
  const MachineModel model(threads_costs, 4);
  for (const Collective collective : all_collectives()) {
    Problem problem{.collective = collective, .ranks = 4, .count = 10};
    if (collective == Collective::shift) problem.distance = 1;
    EXPECT_GT(model.bound(problem, 8), 0) << name_of(collective);
    problem.ranks = 1;
    EXPECT_EQ(model.bound(problem, 8), 0) << name_of(collective);
    problem.ranks = 4;
    problem.count = 0;
    const bool is_free = collective != Collective::barrier;
    EXPECT_EQ(model.bound(problem, 8) == 0, is_free) << name_of(collective);
  }
  Problem still{.collective = Collective::shift, .ranks = 4, .count = 10, .distance = 8};
  EXPECT_EQ(model.bound(still, 8), 0) << "all blocks stay where they are";
}

}  // namespace
}  // namespace tutti
