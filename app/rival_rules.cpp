#include "app/rival_rules.hpp"

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "base/integers.hpp"

namespace tutti::app {
namespace {

using enum RivalNeed;

bool fits(const RivalRow& row, const Problem& problem) {
  if (row.collective != problem.collective || problem.ranks >= row.below_ranks) return false;
  switch (row.need) {
    case power_of_two:
      return is_power_of_two(problem.ranks);
    case few_elements:
      return problem.count < floor_power_of_two(problem.ranks);
    case nothing:
      break;
  }
  return true;
}

bool holds(const Substitution& substitution, const Problem& problem) {
  switch (substitution.when) {
    case When::odd_ranks:
      return problem.ranks % 2 != 0;
    case When::no_power_of_two:
      return !is_power_of_two(problem.ranks);
    case When::few_elements:
      return problem.count < floor_power_of_two(problem.ranks);
    case When::fewer_elements_than_ranks:
      return problem.count < problem.ranks;
    case When::all:
      break;
  }
  return true;
}

// coll_base_allreduce.c, coll_base_allgather.c, coll_base_alltoall.c, coll_base_bcast.c and coll_base_scatter.c of Open
// MPI 4.1 with the parameters that ompi_info lists: no limit of requests, a radix of 4, as tutti's, and no segments.
constexpr Substitution substitutions_in_openmpi[] = {
    {Collective::all_reduce, "rabenseifner", "", When::few_elements},
    {Collective::all_reduce, "ring", "recursive-doubling", When::fewer_elements_than_ranks},
    {Collective::all_reduce, "segmented_ring", "recursive-doubling", When::fewer_elements_than_ranks},
    {Collective::all_reduce, "segmented_ring", "ring"},
    {Collective::all_gather, "recursive_doubling", "bruck", When::no_power_of_two},
    {Collective::all_gather, "neighbor", "ring", When::odd_ranks},
    {Collective::all_to_all, "linear_sync", "linear"},
    {Collective::broadcast, "scatter_allgather", "linear", When::fewer_elements_than_ranks},
    {Collective::broadcast, "knomial", "k-nomial"},
    {Collective::scatter, "linear_nb", "linear"},
};

}  // namespace

std::span<const RivalRules> rival_rules() {
  static const RivalRules all[] = {
      {"Open MPI 4.1", "ompi/mca/coll/tuned/coll_tuned_decision_fixed.c", openmpi_rows(), openmpi_counterparts(),
       substitutions_in_openmpi},
      {"MPICH 4.0",
       "maint/tuning/coll/mpir/generic.json, as libmpich 4.0.2 has it, for ranks in no hierarchy",
       mpich_rows(),
       mpich_counterparts(),
       {},
       true}};
  return all;
}

std::string_view taken_by(const RivalRules& rules, const Problem& problem, std::int64_t element_size) {
  const bool all_blocks =
      rules.counts_all_blocks && has_blocks(problem.collective) && problem.collective != Collective::all_to_all;
  const std::int64_t bytes = problem.count * element_size * (all_blocks ? problem.ranks : 1);
  const auto row =
      std::find_if(rules.rows.begin(), rules.rows.end(), [&](const RivalRow& each) { return fits(each, problem); });
  if (row == rules.rows.end()) return {};
  for (const RivalStep& step : row->steps) {
    if (bytes < step.below) return step.algorithm;
  }
  return {};
}

const Algorithm* equal_of(const RivalRules& rules, const Problem& problem, std::string_view taken) {
  for (const Substitution& each : rules.substitutions) {
    if (each.collective == problem.collective && each.function == taken && holds(each, problem))
      return each.algorithm.empty() ? nullptr : algorithms::find(each.collective, each.algorithm);
  }
  for (const Counterpart& each : rules.counterparts) {
    if (each.collective != problem.collective || each.name != taken) continue;
    const Algorithm* const equal = algorithms::find(each.collective, each.algorithm);
    const bool applies = each.applies != Applies::off_powers_of_two || !is_power_of_two(problem.ranks);
    if (applies && equal != nullptr && !unmet_need(*equal, problem)) return equal;
  }
  return nullptr;
}

}  // namespace tutti::app
