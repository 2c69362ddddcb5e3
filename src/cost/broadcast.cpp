/// @file
/// Broadcast and its dual, reduce.

#include <algorithm>

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "cost/forms.hpp"
#include "schedule/combinators.hpp"

namespace tutti {
namespace {

using namespace algorithms;

double count(const Problem& problem) { return static_cast<double>(problem.count); }
int others(const Problem& problem) { return problem.ranks - 1; }
int ring_rounds(int extent) { return extent == 1 ? 0 : ceil_divide(extent, 2); }

Terms linear(const Problem& problem) { return messages(others(problem), count(problem)); }
Terms binomial(const Problem& problem) { return messages(ceil_log2(problem.ranks), count(problem)); }
Terms k_nomial(const Problem& problem, const Parameters& parameters) {
  return messages(claimed_rounds(broadcast_k_nomial, problem, parameters), count(problem));
}
Terms ring(const Problem& problem) { return messages(ring_rounds(problem.ranks), count(problem)); }

Terms mesh(const Problem& problem, const Parameters& parameters) {
  return messages(over_dimensions(problem, parameters, [](int extent, int) { return ring_rounds(extent); }),
                  count(problem));
}

// In rounds of segments, of which the first have one element more where S does not divide m: at most.
Terms in_segments(const Problem& problem, const Parameters& parameters, double rounds) {
  const std::int64_t segments = parameters.segments_for(problem.count);
  return messages(rounds, static_cast<double>(ceil_divide(problem.count, segments)));
}

Terms n_block(const Problem& problem, const Parameters& parameters) {
  return in_segments(problem, parameters, claimed_rounds(broadcast_n_block, problem, parameters));
}

Terms two_tree(const Problem& problem, const Parameters& parameters) {
  return in_segments(problem, parameters, claimed_rounds(broadcast_two_tree, problem, parameters));
}

Terms disjoint_trees(const Problem& problem, const Parameters& parameters) {
  return in_segments(problem, parameters, claimed_rounds(broadcast_disjoint_trees, problem, parameters));
}

Terms scatter_then_ring(const Problem& problem) {
  return messages(others(problem), largest_part(problem)) +
         Terms{.starts = static_cast<double>(ceil_log2(problem.ranks)),
               .elements = others(problem) * largest_part(problem)};
}

Terms scatter_then_doubling(const Problem& problem) {
  return halving(problem.count, problem.ranks) + Terms{.starts = static_cast<double>(ceil_log2(problem.ranks)),
                                                       .elements = others(problem) * largest_part(problem)};
}

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

bool stays_at_rank_0(const Problem& problem) { return problem.commutative || problem.root == 0; }

// A reduce with a root other than 0 and an operator that is not commutative sends the result on from rank 0, over so
// many links. Binomial trees do so only where p is no power of two.
Terms sent_on(const Problem& problem, int links) {
  return stays_at_rank_0(problem) ? Terms{} : messages(1, links * count(problem));
}

template <auto broadcast>
Terms reducing_as(const Problem& problem, const Parameters& parameters) {
  return reducing(Formula<Terms>(broadcast)(problem, parameters));
}

template <auto broadcast>
Terms dual(const Problem& problem, const Parameters& parameters) {
  return reducing_as<broadcast>(problem, parameters) + sent_on(problem, 1);
}

template <auto broadcast>
Terms dual_on_grid(const Problem& problem, const Parameters& parameters) {
  const auto steps = [&problem](int extent, int stride) {
    const int coordinate = problem.root / stride % extent;
    return std::min(coordinate, extent - coordinate);
  };
  const double links = over_dimensions(problem, parameters, steps);
  return reducing_as<broadcast>(problem, parameters) + sent_on(problem, static_cast<int>(links));
}

Terms dual_ring(const Problem& problem) {
  return reducing(ring(problem)) + sent_on(problem, std::min(problem.root, problem.ranks - problem.root));
}

template <auto tree>
Terms dual_tree(const Problem& problem, const Parameters& parameters) {
  return is_power_of_two(problem.ranks) ? reducing_as<tree>(problem, parameters) : dual<tree>(problem, parameters);
}

// What takes part in the reduce-scatter is combined; the gather moves results.
template <Terms (*reduce_scatter)(const Problem&)>
Terms gathered(const Problem& problem) {
  return reducing(reduce_scatter(problem)) + Terms{.starts = static_cast<double>(ceil_log2(problem.ranks)),
                                                   .elements = others(problem) * largest_part(problem)};
}

Terms part_by_part(const Problem& problem) { return messages(others(problem), largest_part(problem)); }
Terms halving_of_parts(const Problem& problem) { return halving(problem.count, problem.ranks); }

}  // namespace

std::vector<ClosedForm> broadcast_forms() {
  using enum Switching;
  return {
      {&broadcast_linear, "full", alpha_beta, "(p - 1)(ts + tw m)", linear},
      {&broadcast_binomial, "full", alpha_beta, "ceil(log2 p)(ts + tw m)", binomial},
      {&broadcast_k_nomial, "full", alpha_beta, "((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1)(ts + tw m), L = ceil(log_k p)",
       k_nomial},
      {&broadcast_ring, "full", alpha_beta, "ceil(p/2)(ts + tw m)", ring},
      {&broadcast_mesh, "full", alpha_beta, "(sum over extents e > 1 of ceil(e/2))(ts + tw m)", mesh},
      {&broadcast_chain, "full", alpha_beta, "(p + S - 2)(ts + tw m/S), S segments", pipelined_chain},
      {&broadcast_scatter_all_gather,
       "full",
       alpha_beta,
       "ts (ceil(log2 p) + p - 1) + 2 tw m (p - 1)/p",
       scatter_then_ring,
       {},
       {},
       {equal_parts}},
      {&broadcast_scatter_all_gather_doubling,
       "full",
       alpha_beta,
       "2 ts d + 2 tw m (p - 1)/p",
       scatter_then_doubling,
       {},
       {},
       {equal_parts}},
      {&broadcast_n_block,
       "full",
       alpha_beta,
       "(S - 1 + ceil(log2 p))(ts + tw m/S), S segments",
       n_block,
       {},
       {},
       {equal_segments}},
      {&broadcast_two_tree,
       "full",
       alpha_beta,
       "(S + 2 ceil(log2 p) - c)(ts + tw m/S), S segments, c = 1, 3, 2, 2 for p = 0, 1, 2, 3 mod 4",
       two_tree,
       {},
       {},
       {equal_segments}},
      {&broadcast_bine, "full", alpha_beta, "d (ts + tw m)", binomial},
      {&broadcast_disjoint_trees,
       "full",
       alpha_beta,
       "(S + d)(ts + tw m/S), S segments; d = 1: S (ts + tw m/S)",
       disjoint_trees,
       {},
       {},
       {equal_segments}},
      {&broadcast_disjoint_trees,
       "hypercube",
       store_and_forward,
       "(S + d)(ts + tw m/S), S segments; d = 1: S (ts + tw m/S)",
       disjoint_trees,
       {},
       {},
       {equal_segments}},
      {&broadcast_direct,
       "full",
       alpha_beta,
       "2 (p - 1)(ts + tw m/p)",
       [](const Problem& p) { return part_by_part(p) + part_by_part(p); },
       {equal_parts}},
      {&broadcast_leaders, "full", alpha_beta, "ceil(log2 p)(ts + tw m)", binomial},
      {&broadcast_multi_leader,
       "full",
       alpha_beta,
       "2 (p - 1)(ts + tw m/p)",
       [](const Problem& p) { return part_by_part(p) + part_by_part(p); },
       {equal_parts}},
      {&broadcast_ring, "ring", store_and_forward, "ceil(p/2)(ts + tw m)", ring, {}, grama},
      {&broadcast_mesh,
       "torus",
       store_and_forward,
       "(sum over extents e > 1 of ceil(e/2))(ts + tw m)",
       mesh,
       {},
       grama},
      {&broadcast_binomial, "hypercube", store_and_forward, "d (ts + tw m)", binomial, {}, grama},
      {&broadcast_binomial, "ring", cut_through, "d (ts + tw m) + th (p - 1)", binomial_on_ring, {power_of_two}, grama},
      {&broadcast_binomial,
       "torus",
       cut_through,
       "d (ts + tw m) + th (sum over extents e of e - 1)",
       binomial_on_mesh,
       {powers_of_two_grid},
       grama},
      {&broadcast_binomial, "tree", cut_through, "d (ts + tw m + th (d + 1))", binomial_in_tree, {power_of_two}, grama},
  };
}

std::vector<ClosedForm> reduce_forms() {
  using enum Switching;
  return {
      {&reduce_linear, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)",
       [](const Problem& p) { return reducing(linear(p)); }},
      {&reduce_binomial, "full", alpha_beta, "ceil(log2 p)(ts + tw m + tc m)", dual_tree<binomial>},
      {&reduce_k_nomial, "full", alpha_beta,
       "((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1)(ts + tw m + tc m), L = ceil(log_k p)", dual<k_nomial>},
      {&reduce_ring, "full", alpha_beta, "ceil(p/2)(ts + tw m + tc m)", dual<ring>},
      {&reduce_mesh, "full", alpha_beta, "(sum over extents e > 1 of ceil(e/2))(ts + tw m + tc m)", dual<mesh>},
      {&reduce_chain, "full", alpha_beta, "(p + S - 2)(ts + (tw + tc) m/S), S segments", dual<pipelined_chain>},
      {&reduce_scatter_gather,
       "full",
       alpha_beta,
       "ts (ceil(log2 p) + p - 1) + (2 tw + tc) m (p - 1)/p",
       gathered<part_by_part>,
       {},
       {},
       {equal_parts}},
      {&reduce_scatter_gather_halving,
       "full",
       alpha_beta,
       "2 ts d + (2 tw + tc) m (p - 1)/p",
       gathered<halving_of_parts>,
       {},
       {},
       {equal_parts}},
      {&reduce_n_block,
       "full",
       alpha_beta,
       "(S - 1 + ceil(log2 p))(ts + (tw + tc) m/S), S segments",
       reducing_as<n_block>,
       {},
       {},
       {equal_segments}},
      {&reduce_two_tree,
       "full",
       alpha_beta,
       "(S + 2 ceil(log2 p) - c)(ts + (tw + tc) m/S), S segments, c = 1, 3, 2, 2 for p = 0, 1, 2, 3 mod 4",
       dual<two_tree>,
       {},
       {},
       {equal_segments},
       {two_ranks}},
      {&reduce_bine, "full", alpha_beta, "d (ts + tw m + tc m)", reducing_as<binomial>},
      {&reduce_disjoint_trees,
       "full",
       alpha_beta,
       "(S + d)(ts + (tw + tc) m/S), S segments; d = 1: S (ts + (tw + tc) m/S)",
       reducing_as<disjoint_trees>,
       {},
       {},
       {equal_segments}},
      {&reduce_flat, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)",
       [](const Problem& p) { return reducing(linear(p)); }},
      {&reduce_direct,
       "full",
       alpha_beta,
       "(p - 1)(2 ts + (2 tw + tc) m/p)",
       [](const Problem& p) { return reducing(part_by_part(p)) + part_by_part(p); },
       {equal_parts}},
      {&reduce_leaders, "full", alpha_beta,
       "ceil(log2 p)(ts + tw m + tc m), and ts + tw m unless the root is 0 or the operator commutative",
       dual<binomial>},
      {&reduce_multi_leader,
       "full",
       alpha_beta,
       "(p - 1)(2 ts + (2 tw + tc) m/p)",
       [](const Problem& p) { return reducing(part_by_part(p)) + part_by_part(p); },
       {equal_parts}},
      {&reduce_ring,
       "ring",
       store_and_forward,
       "ceil(p/2)(ts + tw m + tc m)",
       dual_ring,
       {},
       grama,
       {},
       {},
       stays_at_rank_0},
      {&reduce_mesh,
       "torus",
       store_and_forward,
       "(sum over extents e > 1 of ceil(e/2))(ts + tw m + tc m)",
       dual_on_grid<mesh>,
       {},
       grama,
       {},
       {},
       stays_at_rank_0},
      {&reduce_binomial, "hypercube", store_and_forward, "d (ts + tw m + tc m)", dual_tree<binomial>, {}, grama},
      {&reduce_binomial,
       "ring",
       cut_through,
       "d (ts + tw m + tc m) + th (p - 1)",
       dual_tree<binomial_on_ring>,
       {power_of_two},
       grama},
      {&reduce_binomial,
       "torus",
       cut_through,
       "d (ts + tw m + tc m) + th (sum over extents e of e - 1)",
       dual_tree<binomial_on_mesh>,
       {powers_of_two_grid},
       grama},
      {&reduce_binomial,
       "tree",
       cut_through,
       "d (ts + tw m + tc m + th (d + 1))",
       dual_tree<binomial_in_tree>,
       {power_of_two},
       grama},
  };
}

}  // namespace tutti
