#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

bool is_square(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  for (int d = 1; d < grid.dimensions(); ++d) {
    if (grid.extent(d) != grid.extent(0)) return false;
  }
  return true;
}

}  // namespace

const Condition power_of_two{"p = 2^d", [](const Problem& problem) { return is_power_of_two(problem.ranks); }};
const Condition square_grid{"equal extents in all dimensions", is_square};
const Condition powers_of_two_grid{"extents that are powers of two",
                                   [](const Problem& problem) { return is_power_of_two(problem.ranks); }};
const Condition equal_parts{"p divides m", [](const Problem& problem) { return problem.count % problem.ranks == 0; }};
const Condition two_ranks{"p <= 2", [](const Problem& problem) { return problem.ranks <= 2; }};
const Condition equal_segments{"S divides m", [](const Problem& problem, const Parameters& parameters) {
                                 return problem.count % segments_of(problem, parameters) == 0;
                               }};

Problem claimable(const Problem& problem) {
  const std::int64_t most = largest_count(problem);
  if (problem.count <= most) return problem;
  Problem smaller = without_counts(problem);
  smaller.count = most;
  return smaller;
}

double claimed_rounds(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters) {
  return static_cast<double>(algorithm.claims(claimable(problem), parameters).rounds);
}

}  // namespace tutti
