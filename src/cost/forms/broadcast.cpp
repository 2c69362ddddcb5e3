/// @file
/// The closed forms of broadcasts.

#include "algorithms/table.hpp"

#include "cost/forms/broadcast_terms.hpp"

namespace tutti {

std::vector<ClosedForm> broadcast_forms() {
  using namespace algorithms;
  using namespace broadcast_terms;
  using enum Switching;
  return {
      {&broadcast_linear, "full", alpha_beta, "(p - 1)(ts + tw m)", linear},
      {&broadcast_binomial, "full", alpha_beta, "ceil(log2 p)(ts + tw m)", binomial},
      {&broadcast_k_nomial, "full", alpha_beta, "((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1)(ts + tw m), L = ceil(log_k p)",
       k_nomial},
      {&broadcast_ring, "full", alpha_beta, "ceil(p/2)(ts + tw m)", ring},
      {&broadcast_mesh, "full", alpha_beta, "(sum over extents e > 1 of ceil(e/2))(ts + tw m)", mesh},
      {&broadcast_chain, "full", alpha_beta, "(p + S - 2)(ts + tw m/S), S segments", pipelined_chain},
      ClosedForm{&broadcast_scatter_all_gather, "full", alpha_beta, "ts (ceil(log2 p) + p - 1) + 2 tw m (p - 1)/p",
                 scatter_then_ring}
          .exact_if(equal_parts),
      ClosedForm{&broadcast_scatter_all_gather_doubling, "full", alpha_beta, "2 ts d + 2 tw m (p - 1)/p",
                 scatter_then_doubling}
          .exact_if(equal_parts),
      ClosedForm{&broadcast_scatter_all_gather_mesh, "full", alpha_beta,
                 "ts (sum over extents e of ceil(log2 e) + e - 1) + 2 tw m (p - 1)/p", scatter_then_mesh}
          .exact_if(equal_parts),
      ClosedForm{&broadcast_scatter_all_gather_mesh_pat, "full", alpha_beta,
                 "ts (sum over extents e > 1 of ceil(log2 e) + log2 A + 2^ceil(log2 e)/A - 1) + 2 tw m (p - 1)/p, A = "
                 "2^floor(log2 k) parts a message",
                 scatter_then_mesh_pat}
          .exact_if(equal_parts),
      ClosedForm{&broadcast_n_block, "full", alpha_beta, "(S - 1 + ceil(log2 p))(ts + tw m/S), S segments", n_block}
          .exact_if(equal_segments),
      ClosedForm{&broadcast_two_tree, "full", alpha_beta,
                 "(S + 2 ceil(log2 p) - c)(ts + tw m/S), S segments, c = 1, 3, 2, 2 for p = 0, 1, 2, 3 mod 4", two_tree}
          .exact_if(equal_segments),
      {&broadcast_bine, "full", alpha_beta, "d (ts + tw m)", binomial},
      ClosedForm{&broadcast_disjoint_trees, "full", alpha_beta,
                 "(S + d)(ts + tw m/S), S segments; d = 1: S (ts + tw m/S)", disjoint_trees}
          .exact_if(equal_segments),
      ClosedForm{&broadcast_disjoint_trees, "hypercube", store_and_forward,
                 "(S + d)(ts + tw m/S), S segments; d = 1: S (ts + tw m/S)", disjoint_trees}
          .exact_if(equal_segments),
      ClosedForm{&broadcast_direct, "full", alpha_beta, "2 (p - 1)(ts + tw m/p)",
                 [](const Problem& p) { return part_by_part(p) + part_by_part(p); }}
          .needing(equal_parts),
      {&broadcast_leaders, "full", alpha_beta, "ceil(log2 p)(ts + tw m)", binomial},
      ClosedForm{&broadcast_multi_leader, "full", alpha_beta, "2 (p - 1)(ts + tw m/p)",
                 [](const Problem& p) { return part_by_part(p) + part_by_part(p); }}
          .needing(equal_parts),
      {&broadcast_ring, "ring", store_and_forward, "ceil(p/2)(ts + tw m)", ring, grama},
      {&broadcast_mesh, "torus", store_and_forward, "(sum over extents e > 1 of ceil(e/2))(ts + tw m)", mesh, grama},
      {&broadcast_binomial, "hypercube", store_and_forward, "d (ts + tw m)", binomial, grama},
      ClosedForm{&broadcast_binomial, "ring", cut_through, "d (ts + tw m) + th (p - 1)", binomial_on_ring, grama}
          .needing(power_of_two),
      ClosedForm{&broadcast_binomial, "torus", cut_through, "d (ts + tw m) + th (sum over extents e of e - 1)",
                 binomial_on_mesh, grama}
          .needing(powers_of_two_grid),
      ClosedForm{&broadcast_binomial, "tree", cut_through, "d (ts + tw m + th (d + 1))", binomial_in_tree, grama}
          .needing(power_of_two),
  };
}

}  // namespace tutti
