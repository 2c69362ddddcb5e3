/// @file
/// Every algorithm of the catalogue, run by ranks of every kind, against the plain definition of its collective.

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "algorithms/catalogue.hpp"
#include "support/ranks.hpp"
#include "support/trial.hpp"

namespace tutti {
namespace {

using testing::Affine;
using testing::Compose;
using testing::Form;
using testing::on_ranks;
using testing::Trial;

constexpr std::uint64_t seed = 20031;

/// The roots worth trying: all of few, some of many.
std::vector<int> roots(Collective collective, int p) {
  if (!has_root(collective)) return {0};
  std::vector<int> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), 0);
  return p <= 5 ? all : p <= 9 ? std::vector<int>{0, 1, p / 2, p - 1} : std::vector<int>{0, p - 3};
}

std::vector<int> distances(Collective collective, int p) {
  if (collective != Collective::shift) return {0};
  return {0, -1, p / 2, 2 * p + 3};
}

/// Around the number of ranks; for the first problem of an algorithm also a thousand.
std::vector<std::int64_t> counts_for(Collective collective, int p, bool first) {
  if (collective == Collective::barrier) return {0};
  std::set<std::int64_t> counts{0, 1, p - 1, p, 2 * p + 1};
  if (first) counts.insert(1000);
  return {counts.begin(), counts.end()};
}

/// Uneven counts with zeros among them.
std::vector<std::int64_t> uneven(const Problem& problem) {
  const auto p = static_cast<std::size_t>(problem.ranks);
  std::vector<std::int64_t> counts(problem.collective == Collective::all_to_all ? p * p : p);
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = static_cast<std::int64_t>((k * 7 + k / p) % 5);
  return counts;
}

/// Returns the layout, wherever the test runs.
Layout layout_of(Communicator& comm) {
  int first = comm.rank();
  Communicator here = comm.split_by_node();
  here.broadcast(first, 0);
  std::vector<Location> locations;
  for (const int node : comm.all_gather(first)) locations.push_back({.node = node});
  return Layout(std::move(locations));
}

/// All problems that one algorithm is tried on.
std::vector<Problem> problems_for(const Algorithm& algorithm, int p, bool commutative, const Layout& layout) {
  std::vector<Problem> problems;
  Problem problem{
      .collective = algorithm.collective, .ranks = p, .commutative = commutative || !reduces(algorithm.collective)};
  if (unmet_need(algorithm, problem, layout)) return {};
  for (const int root : roots(algorithm.collective, p)) {
    for (const int distance : distances(algorithm.collective, p)) {
      problem.root = root;
      problem.distance = distance;
      for (const std::int64_t count : counts_for(algorithm.collective, p, problems.empty())) {
        problem.count = count;
        problems.push_back(problem);
        if (allows_in_place(algorithm.collective)) {
          problems.push_back(problem);
          problems.back().in_place = true;
        }
      }
      if (!has_blocks(algorithm.collective)) continue;
      problems.push_back(problem);
      problems.back().counts = uneven(problem);
    }
  }
  return problems;
}

class RuntimeCatalogue : public ::testing::TestWithParam<int> {};

template <typename T, typename Op>
void run_catalogue(int p, bool commutative, Op op, std::function<T(const T&, const T&)> reference) {
  on_ranks(p, [&](Communicator& comm) {
    const Layout layout = layout_of(comm);
    std::uint64_t round = seed;
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      for (const Problem& problem : problems_for(*algorithm, p, commutative, layout)) {
        const auto form = static_cast<Form>(++round % 3);
        if (round % static_cast<std::uint64_t>(testing::scale()) != 0) continue;
        Trial<T, Op> trial(problem, comm.rank(), round, op, {.algorithm = algorithm->name}, reference);
        trial.run(comm, form);
        trial.check();
      }
    }
  });
}

TEST_P(RuntimeCatalogue, GivesTheDefinitionForACommutativeOperator) {
  run_catalogue<std::int64_t>(GetParam(), true, sum, [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  });
}

TEST_P(RuntimeCatalogue, KeepsOrderForAnOperatorThatDoesNotCommute) {
  run_catalogue<Affine>(GetParam(), false, Compose{}, Compose{});
}

TEST_P(RuntimeCatalogue, RanksMayDifferInWhetherTheyReduceInPlace) {
  const int p = GetParam();
  on_ranks(p, [&](Communicator& comm) {
    const Layout layout = layout_of(comm);
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      if (!allows_in_place(algorithm->collective)) continue;
      Problem problem{
          .collective = algorithm->collective, .ranks = p, .count = 2 * p + 1, .root = p / 2, .commutative = false};
      if (unmet_need(*algorithm, problem, layout)) continue;
      if (!has_root(problem.collective)) problem.root = 0;
      problem.in_place = comm.rank() % 2 == 0;
      Trial<Affine, Compose> trial(problem, comm.rank(), seed, {}, {.algorithm = algorithm->name}, Compose{});
      trial.run(comm, Form::blocking);
      trial.check();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, RuntimeCatalogue,
                         ::testing::ValuesIn(testing::possible({1, 2, 3, 4, 5, 6, 7, 8, 9, 16})),
                         [](const auto& instance) { return "p" + std::to_string(instance.param); });

}  // namespace
}  // namespace tutti
