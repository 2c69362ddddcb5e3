#include "cost/forms/broadcast_terms.hpp"

#include "algorithms/table.hpp"

namespace tutti::broadcast_terms {
namespace {

int others(const Problem& problem) { return problem.ranks - 1; }
int ring_rounds(int extent) { return extent == 1 ? 0 : ceil_divide(extent, 2); }

// In rounds of segments, of which the first have one element more where S does not divide m: at most.
Terms in_segments(const Problem& problem, const Parameters& parameters, double rounds) {
  const std::int64_t segments = segments_of(problem, parameters);
  return messages(rounds, static_cast<double>(ceil_divide(problem.count, segments)));
}

// On a grid, where parts are equal: at most.
Terms parts_on_grid(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters) {
  return {.starts = claimed_rounds(algorithm, problem, parameters),
          .elements = 2 * others(problem) * largest_part(problem)};
}

}  // namespace

Terms linear(const Problem& problem) { return messages(others(problem), count(problem)); }
Terms binomial(const Problem& problem) { return messages(ceil_log2(problem.ranks), count(problem)); }
Terms k_nomial(const Problem& problem, const Parameters& parameters) {
  return messages(claimed_rounds(algorithms::broadcast_k_nomial, problem, parameters), count(problem));
}
Terms ring(const Problem& problem) { return messages(ring_rounds(problem.ranks), count(problem)); }

Terms mesh(const Problem& problem, const Parameters& parameters) {
  return messages(over_dimensions(problem, parameters, [](int extent, int) { return ring_rounds(extent); }),
                  count(problem));
}

Terms n_block(const Problem& problem, const Parameters& parameters) {
  return in_segments(problem, parameters, claimed_rounds(algorithms::broadcast_n_block, problem, parameters));
}

Terms two_tree(const Problem& problem, const Parameters& parameters) {
  return in_segments(problem, parameters, claimed_rounds(algorithms::broadcast_two_tree, problem, parameters));
}

Terms disjoint_trees(const Problem& problem, const Parameters& parameters) {
  return in_segments(problem, parameters, claimed_rounds(algorithms::broadcast_disjoint_trees, problem, parameters));
}

Terms part_by_part(const Problem& problem) { return messages(others(problem), largest_part(problem)); }
Terms halving_of_parts(const Problem& problem) { return halving(problem.count, problem.ranks); }
Terms parts_along_tree(const Problem& problem) {
  return {.starts = static_cast<double>(ceil_log2(problem.ranks)), .elements = others(problem) * largest_part(problem)};
}

Terms scatter_then_ring(const Problem& problem) { return part_by_part(problem) + parts_along_tree(problem); }
Terms scatter_then_mesh(const Problem& problem, const Parameters& parameters) {
  return parts_on_grid(algorithms::broadcast_scatter_all_gather_mesh, problem, parameters);
}

Terms scatter_then_mesh_pat(const Problem& problem, const Parameters& parameters) {
  return parts_on_grid(algorithms::broadcast_scatter_all_gather_mesh_pat, problem, parameters);
}

Terms scatter_then_doubling(const Problem& problem) { return halving_of_parts(problem) + parts_along_tree(problem); }

// With cut-through the longest way of each round is half as long as that of the round before.
Terms binomial_on_ring(const Problem& problem) {
  Terms terms = binomial(problem);
  terms.hops = others(problem);
  return terms;
}

Terms binomial_on_mesh(const Problem& problem, const Parameters& parameters) {
  Terms terms = binomial(problem);
  terms.hops = ring_steps(problem, parameters);
  return terms;
}

// Round i goes 2(d - i + 1) links: up to the common switch and down.
Terms binomial_in_tree(const Problem& problem) {
  Terms terms = binomial(problem);
  terms.hops = terms.starts * (terms.starts + 1);
  return terms;
}

}  // namespace tutti::broadcast_terms
