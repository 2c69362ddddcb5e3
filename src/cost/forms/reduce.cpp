/// @file
/// Reduces cost what the broadcasts do that they are duals of, what combining takes, and, for some roots and operators,
/// a message more.

#include "algorithms/table.hpp"

#include <algorithm>

#include "cost/forms/broadcast_terms.hpp"

namespace tutti {
namespace {

bool stays_at_rank_0(const Problem& problem) { return problem.commutative || problem.root == 0; }

// A reduce with a root other than 0 and an operator that is not commutative sends the result on from rank 0, over so
// many links. Binomial trees do so only where p is no power of two.
Terms sent_on(const Problem& problem, int links) {
  return stays_at_rank_0(problem) ? Terms{} : messages(1, links * static_cast<double>(problem.count));
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
  return reducing(broadcast_terms::ring(problem)) +
         sent_on(problem, std::min(problem.root, problem.ranks - problem.root));
}

template <auto tree>
Terms dual_tree(const Problem& problem, const Parameters& parameters) {
  return is_power_of_two(problem.ranks) ? reducing_as<tree>(problem, parameters) : dual<tree>(problem, parameters);
}

// Elements in the reduce-scatter are combined; the gather moves results.
template <Terms (*reduce_scatter)(const Problem&)>
Terms gathered(const Problem& problem) {
  return reducing(reduce_scatter(problem)) + broadcast_terms::parts_along_tree(problem);
}

// Elements in the reduce-scatter, among those of both halves, are combined.
template <Terms (*scatter_all_gather)(const Problem&, const Parameters&)>
Terms gathered_on_grid(const Problem& problem, const Parameters& parameters) {
  Terms terms = scatter_all_gather(problem, parameters);
  terms.combined = terms.elements / 2;
  return terms;
}

}  // namespace

std::vector<ClosedForm> reduce_forms() {
  using namespace algorithms;
  using namespace broadcast_terms;
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
      ClosedForm{&reduce_scatter_gather, "full", alpha_beta, "ts (ceil(log2 p) + p - 1) + (2 tw + tc) m (p - 1)/p",
                 gathered<part_by_part>}
          .exact_if(equal_parts),
      ClosedForm{&reduce_scatter_gather_halving, "full", alpha_beta, "2 ts d + (2 tw + tc) m (p - 1)/p",
                 gathered<halving_of_parts>}
          .exact_if(equal_parts),
      ClosedForm{&reduce_scatter_gather_mesh, "full", alpha_beta,
                 "ts (sum over extents e of ceil(log2 e) + e - 1) + (2 tw + tc) m (p - 1)/p",
                 gathered_on_grid<scatter_then_mesh>}
          .exact_if(equal_parts),
      ClosedForm{
          &reduce_scatter_gather_mesh_pat, "full", alpha_beta,
          "ts (sum over extents e > 1 of ceil(log2 e) + log2 A + 2^ceil(log2 e)/A - 1) + (2 tw + tc) m (p - 1)/p, A = "
          "2^floor(log2 k) parts a message",
          gathered_on_grid<scatter_then_mesh_pat>}
          .exact_if(equal_parts),
      ClosedForm{&reduce_n_block, "full", alpha_beta, "(S - 1 + ceil(log2 p))(ts + (tw + tc) m/S), S segments",
                 reducing_as<n_block>}
          .exact_if(equal_segments),
      ClosedForm{&reduce_two_tree, "full", alpha_beta,
                 "(S + 2 ceil(log2 p) - c)(ts + (tw + tc) m/S), S segments, c = 1, 3, 2, 2 for p = 0, 1, 2, 3 mod 4",
                 dual<two_tree>}
          .exact_if(equal_segments)
          .exact_combining_if(two_ranks),
      {&reduce_bine, "full", alpha_beta, "d (ts + tw m + tc m)", reducing_as<binomial>},
      ClosedForm{&reduce_disjoint_trees, "full", alpha_beta,
                 "(S + d)(ts + (tw + tc) m/S), S segments; d = 1: S (ts + (tw + tc) m/S)", reducing_as<disjoint_trees>}
          .exact_if(equal_segments),
      {&reduce_flat, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)",
       [](const Problem& p) { return reducing(linear(p)); }},
      ClosedForm{&reduce_direct, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)",
                 [](const Problem& p) { return reducing(part_by_part(p)) + part_by_part(p); }}
          .needing(equal_parts),
      {&reduce_leaders, "full", alpha_beta,
       "ceil(log2 p)(ts + tw m + tc m), and ts + tw m unless the root is 0 or the operator commutative",
       dual<binomial>},
      ClosedForm{&reduce_multi_leader, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)",
                 [](const Problem& p) { return reducing(part_by_part(p)) + part_by_part(p); }}
          .needing(equal_parts),
      ClosedForm{&reduce_ring, "ring", store_and_forward, "ceil(p/2)(ts + tw m + tc m)", dual_ring, grama}
          .crossing_one_link_if(stays_at_rank_0),
      ClosedForm{&reduce_mesh, "torus", store_and_forward, "(sum over extents e > 1 of ceil(e/2))(ts + tw m + tc m)",
                 dual_on_grid<mesh>, grama}
          .crossing_one_link_if(stays_at_rank_0),
      {&reduce_binomial, "hypercube", store_and_forward, "d (ts + tw m + tc m)", dual_tree<binomial>, grama},
      ClosedForm{&reduce_binomial, "ring", cut_through, "d (ts + tw m + tc m) + th (p - 1)",
                 dual_tree<binomial_on_ring>, grama}
          .needing(power_of_two),
      ClosedForm{&reduce_binomial, "torus", cut_through, "d (ts + tw m + tc m) + th (sum over extents e of e - 1)",
                 dual_tree<binomial_on_mesh>, grama}
          .needing(powers_of_two_grid),
      ClosedForm{&reduce_binomial, "tree", cut_through, "d (ts + tw m + tc m + th (d + 1))",
                 dual_tree<binomial_in_tree>, grama}
          .needing(power_of_two),
  };
}

}  // namespace tutti
