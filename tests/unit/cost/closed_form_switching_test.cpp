/// @file
/// Closed forms with another switching than their own, and on tori with another grid.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "algorithms/catalogue.hpp"
#include "algorithms/table.hpp"
#include "cost/closed_form.hpp"
#include "topology/families/families.hpp"
#include "topology/formats/named.hpp"

namespace tutti {
namespace {

struct Network {
  const char* words;
  Shape grid = {};  // grid of a torus
};

bool all_cross_one_link(const Schedule& schedule, const Topology& topology) {
  for (int rank = 0; rank < topology.ranks(); ++rank) {
    for (const Op& op : schedule.programs[static_cast<std::size_t>(rank)].ops) {
      if (op.communicates() && route_of(topology, rank, op.peer).size() > 1) return false;
    }
  }
  return true;
}

Problem problem_for(const ClosedForm& form, int ranks) {
  Problem problem{.collective = form.algorithm->collective, .ranks = ranks, .count = 960};
  if (has_root(problem.collective)) problem.root = 3;
  if (problem.collective == Collective::shift) problem.distance = 3;
  return problem;
}

// With the switching that people get unless they name one, too. Whether the times are right closed_form_test.cpp says.
TEST(ClosedForm, HoldsWithAnySwitchingWhereMessagesCrossOneLink) {
  const std::array networks{Network{"ring:8"},      Network{"ring:12"},           Network{"linear:7"},
                            Network{"hypercube:4"}, Network{"torus:4x8", {4, 8}}, Network{"torus:3x5", {3, 5}}};
  int far = 0;
  for (const ClosedForm& form : closed_forms()) {
    if (form.switching != Switching::store_and_forward) continue;
    for (const auto& [words, grid] : networks) {
      const TopologyPtr topology = topology_named(words);
      if (family_of(*topology) != form.topology) continue;
      const Choice choice(*form.algorithm, {.grid = grid});
      for (const bool commutative : {true, false}) {
        Problem problem = problem_for(form, topology->ranks());
        problem.commutative = commutative;
        if (unmet_need(*form.algorithm, problem) || unmet_condition(form, problem, choice.parameters)) continue;
        const bool near = !form.crosses_one_link_each || form.crosses_one_link_each(problem);
        const std::string what = std::string(words) + ", " + describe(problem) + ", " + std::string(form.formula);
        EXPECT_TRUE(!near || all_cross_one_link(record(choice, problem), *topology)) << what;
        for (const Switching switching : {Switching::alpha_beta, Switching::cut_through})
          EXPECT_EQ(price(choice, problem, *topology, {.switching = switching}).has_value(), near) << what;
        if (!near) ++far;
      }
    }
  }
  EXPECT_GT(far, 0);
}

TEST(ClosedForm, SaysHowItReadsWithAnotherSwitching) {
  const auto formula = [](Collective collective, const char* algorithm, Switching switching, double th) {
    const Problem problem{.collective = collective, .ranks = 8, .count = 8};
    return price(*algorithms::find(collective, algorithm), problem, *topology_named("ring:8"),
                 {.switching = switching, .th = th})
        ->formula;
  };
  using enum Switching;
  EXPECT_EQ(formula(Collective::all_gather, "ring", store_and_forward, 1), "(p - 1)(ts + tw m)");
  EXPECT_EQ(formula(Collective::all_gather, "ring", alpha_beta, 1), "(p - 1)(ts + tw m)");
  EXPECT_EQ(formula(Collective::all_gather, "ring", cut_through, 0), "(p - 1)(ts + tw m)");
  EXPECT_EQ(formula(Collective::all_gather, "ring", cut_through, 1), "(p - 1)(ts + tw m), with ts + th for ts");
  EXPECT_EQ(formula(Collective::broadcast, "binomial", cut_through, 1), "d (ts + tw m) + th (p - 1)");
  EXPECT_EQ(formula(Collective::broadcast, "binomial", alpha_beta, 1), "d (ts + tw m) + th (p - 1), with th = 0");
}

TEST(ClosedForm, IsOfTheTorussOwnGrid) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 24, .count = 1};
  const Algorithm& mesh = *algorithms::find(Collective::all_gather, "mesh");
  const TopologyPtr torus = topology_named("torus:4x6");
  EXPECT_TRUE(price({mesh, {.grid = {4, 6}}}, problem, *torus, {}).has_value());
  const Choice other(mesh, {.grid = {3, 8}});
  EXPECT_FALSE(price(other, problem, *torus, {}).has_value());
  EXPECT_EQ(why_no_price(other, problem, *torus, {}), "the forms of a torus are for its own grid");
}

// The textbook's rearrangement: p blocks once between the phases of a mesh, and before each step of a hypercube.
TEST(ClosedForm, AddsLocalRearrangementWhereItsPriceIsNamed) {
  const Problem problem{.collective = Collective::all_to_all, .ranks = 16, .count = 10};
  Machine sorts{.switching = Switching::store_and_forward};
  sorts.tr = 1e-9;
  const auto added = [&](const Choice& choice, const Topology& network) {
    const auto priced = price(choice, problem, network, sorts);
    return seconds(priced->terms, 1, sorts) - seconds(priced->terms, 1, {.switching = sorts.switching});
  };
  const Choice mesh(algorithms::all_to_all_mesh, {.grid = {4, 4}});
  const Choice hypercube(algorithms::all_to_all_hypercube);
  EXPECT_NEAR(added(mesh, *grid_topology({4, 4}, true)), sorts.tr * 160, 1e-15);
  EXPECT_NEAR(added(hypercube, *hypercube_topology(4)), sorts.tr * 160 * 4, 1e-15);
  EXPECT_EQ(price(hypercube, problem, *hypercube_topology(4), sorts)->formula, "d (ts + tw m p/2) + 4 tr m p");
  EXPECT_EQ(price(hypercube, problem, *hypercube_topology(4), {.switching = sorts.switching})->formula,
            "d (ts + tw m p/2)");
  EXPECT_EQ(rearranged_elements(algorithms::all_to_all_pairwise, problem), 0);
}

}  // namespace
}  // namespace tutti
