/// @file
/// All-gather and its dual, reduce-scatter.

#include "algorithms/table.hpp"
#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

using namespace algorithms;

// Every rank receives all blocks but its own, once each, however they are grouped.
Terms to_all(const Problem& problem, double starts) {
  return {.starts = starts, .elements = (problem.ranks - 1) * count(problem)};
}

Terms one_by_one(const Problem& problem) { return to_all(problem, problem.ranks - 1); }
Terms logarithmic(const Problem& problem) { return to_all(problem, ceil_log2(problem.ranks)); }
Terms k_bruck(const Problem& problem, const Parameters& parameters) {
  return to_all(problem, claimed_rounds(all_gather_k_bruck, problem, parameters));
}
Terms pat(const Problem& problem, const Parameters& parameters) {
  return to_all(problem, claimed_rounds(all_gather_pat, problem, parameters));
}
Terms mesh_multi_port(const Problem& problem, const Parameters& parameters) {
  return to_all(problem, claimed_rounds(all_gather_mesh_multi_port, problem, parameters));
}
Terms mesh_pat(const Problem& problem, const Parameters& parameters) {
  return to_all(problem, claimed_rounds(all_gather_mesh_pat, problem, parameters));
}
// In an odd ring one rank receives three blocks in each round but the first two and the last one.
Terms in_pairs(const Problem& problem) {
  const double rounds = claimed_rounds(all_gather_neighbour_exchange, problem);
  if (problem.ranks % 2 == 0 || problem.ranks == 1) return to_all(problem, rounds);
  return {.starts = rounds, .elements = (3.0 * problem.ranks - 1) / 2 * count(problem)};
}

// Reversed, ranks that are left out at first begin early, and no round of an odd ring is known to carry less than
// three.
Terms in_pairs_reversed(const Problem& problem) {
  Terms terms = in_pairs(problem);
  if (problem.ranks % 2 != 0) terms.elements = 3 * terms.starts * count(problem);
  return terms;
}

const Condition even_ranks{"p is even",
                           [](const Problem& problem) { return problem.ranks % 2 == 0 || problem.ranks == 1; }};

constexpr std::string_view in_pairs_formula = "ts p/2 + tw m (p - 1); odd p > 1: ts (p + 3)/2 + tw m (3 p - 1)/2";
constexpr std::string_view in_pairs_reduced_formula =
    "ts p/2 + (tw + tc) m (p - 1); odd p > 1: (ts + 3 (tw + tc) m)(p + 3)/2";
Terms along_lines(const Problem& problem, const Parameters& parameters) {
  return to_all(problem, ring_steps(problem, parameters));
}

Terms n_block(const Problem& problem, const Parameters& parameters) {
  return to_all(problem, claimed_rounds(all_gather_n_block, problem, parameters));
}

// The binomial tree with all p blocks as one message.
Terms whole_along_tree(const Problem& problem) {
  return messages(ceil_log2(problem.ranks), problem.ranks * count(problem));
}

Terms gather_broadcast(const Problem& problem) { return logarithmic(problem) + whole_along_tree(problem); }
Terms reduce_then_scatter(const Problem& problem) { return reducing(whole_along_tree(problem)) + logarithmic(problem); }

template <auto all_gather>
Terms dual(const Problem& problem, const Parameters& parameters) {
  return reducing(Formula<Terms>(all_gather)(problem, parameters));
}

}  // namespace

std::vector<ClosedForm> all_gather_forms() {
  using enum Switching;
  return {
      {&all_gather_linear, "full", alpha_beta, "(p - 1)(ts + tw m)", one_by_one},
      {&all_gather_ring, "full", alpha_beta, "(p - 1)(ts + tw m)", one_by_one},
      {&all_gather_k_ring, "full", alpha_beta, "(p - 1)(ts + tw m)", one_by_one},
      {&all_gather_recursive_doubling, "full", alpha_beta, "ts d + tw m (p - 1)", logarithmic},
      {&all_gather_bruck, "full", alpha_beta, "ts ceil(log2 p) + tw m (p - 1)", logarithmic},
      {&all_gather_k_bruck, "full", alpha_beta,
       "ts ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1) + tw m (p - 1), L = ceil(log_k p)", k_bruck},
      {&all_gather_circulant, "full", alpha_beta, "ts ceil(log2 p) + tw m (p - 1)", logarithmic},
      {&all_gather_n_block, "full", alpha_beta, "ts (S - 1 + ceil(log2 p)) + tw m (p - 1), S segments", n_block},
      {&all_gather_swing, "full", alpha_beta, "ts d + tw m (p - 1)", logarithmic},
      {&all_gather_bine, "full", alpha_beta, "ts d + tw m (p - 1)", logarithmic},
      {&all_gather_pat, "full", alpha_beta,
       "ts (log2 A + 2^ceil(log2 p)/A - 1) + tw m (p - 1), A = 2^floor(log2 k) blocks a message", pat},
      {&all_gather_ring_bidirectional, "full", alpha_beta, "(p - 1)(ts + tw m)", one_by_one},
      ClosedForm{&all_gather_neighbour_exchange, "full", alpha_beta, in_pairs_formula, in_pairs}.exact_if(even_ranks),
      {&all_gather_mesh, "full", alpha_beta, "ts (sum over extents e of e - 1) + tw m (p - 1)", along_lines},
      {&all_gather_mesh_multi_port, "full", alpha_beta,
       "2 n ts (sum over extents e of e - 1) + tw m (p - 1), n dimensions", mesh_multi_port},
      {&all_gather_mesh_pat, "full", alpha_beta,
       "ts (sum over extents e > 1 of log2 A + 2^ceil(log2 e)/A - 1) + tw m (p - 1), A = 2^floor(log2 k) blocks a "
       "message",
       mesh_pat},
      {&all_gather_gather_broadcast, "full", alpha_beta, "ts ceil(log2 p) + tw m (p - 1) + ceil(log2 p)(ts + tw m p)",
       gather_broadcast},
      {&all_gather_leaders, "full", alpha_beta, "ts ceil(log2 p) + tw m (p - 1) + ceil(log2 p)(ts + tw m p)",
       gather_broadcast},
      {&all_gather_multi_leader, "full", alpha_beta, "(p - 1)(ts + tw m)", one_by_one},
      {&all_gather_ring, "ring", store_and_forward, "(p - 1)(ts + tw m)", one_by_one, grama},
      {&all_gather_ring, "linear", alpha_beta, "(p - 1)(ts + tw m)", one_by_one, grama},
      ClosedForm{&all_gather_neighbour_exchange, "ring", store_and_forward, "ts p/2 + tw m (p - 1)", in_pairs}.needing(
          even_ranks),
      {&all_gather_mesh, "torus", store_and_forward, "ts (sum over extents e of e - 1) + tw m (p - 1)", along_lines,
       grama},
      {&all_gather_recursive_doubling, "hypercube", store_and_forward, "ts d + tw m (p - 1)", logarithmic, grama},
  };
}

std::vector<ClosedForm> reduce_scatter_forms() {
  using enum Switching;
  return {
      {&reduce_scatter_linear, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", dual<one_by_one>},
      {&reduce_scatter_direct, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", dual<one_by_one>},
      {&reduce_scatter_ring, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", dual<one_by_one>},
      {&reduce_scatter_k_ring, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", dual<one_by_one>},
      {&reduce_scatter_recursive_halving, "full", alpha_beta, "ts d + (tw + tc) m (p - 1)", dual<logarithmic>},
      {&reduce_scatter_bruck, "full", alpha_beta, "ts ceil(log2 p) + (tw + tc) m (p - 1)", dual<logarithmic>},
      {&reduce_scatter_circulant, "full", alpha_beta, "ts ceil(log2 p) + (tw + tc) m (p - 1)", dual<logarithmic>},
      {&reduce_scatter_n_block, "full", alpha_beta, "ts (S - 1 + ceil(log2 p)) + (tw + tc) m (p - 1), S segments",
       dual<n_block>},
      {&reduce_scatter_swing, "full", alpha_beta, "ts d + (tw + tc) m (p - 1)", dual<logarithmic>},
      {&reduce_scatter_bine, "full", alpha_beta, "ts d + (tw + tc) m (p - 1)", dual<logarithmic>},
      {&reduce_scatter_pat, "full", alpha_beta,
       "ts (log2 A + 2^ceil(log2 p)/A - 1) + (tw + tc) m (p - 1), A = 2^floor(log2 k) blocks a message", dual<pat>},
      ClosedForm{&reduce_scatter_neighbour_exchange, "full", alpha_beta, in_pairs_reduced_formula,
                 dual<in_pairs_reversed>}
          .exact_if(even_ranks),
      {&reduce_scatter_mesh, "full", alpha_beta, "ts (sum over extents e of e - 1) + (tw + tc) m (p - 1)",
       dual<along_lines>},
      {&reduce_scatter_mesh_multi_port, "full", alpha_beta,
       "2 n ts (sum over extents e of e - 1) + (tw + tc) m (p - 1), n dimensions", dual<mesh_multi_port>},
      {&reduce_scatter_mesh_pat, "full", alpha_beta,
       "ts (sum over extents e > 1 of log2 A + 2^ceil(log2 e)/A - 1) + (tw + tc) m (p - 1), A = 2^floor(log2 k) blocks "
       "a message",
       dual<mesh_pat>},
      {&reduce_scatter_reduce_then_scatter, "full", alpha_beta,
       "ceil(log2 p)(ts + (tw + tc) m p) + ts ceil(log2 p) + tw m (p - 1)", reduce_then_scatter},
      {&reduce_scatter_leaders, "full", alpha_beta, "ceil(log2 p)(ts + (tw + tc) m p) + ts ceil(log2 p) + tw m (p - 1)",
       reduce_then_scatter},
      {&reduce_scatter_multi_leader, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", dual<one_by_one>},
      {&reduce_scatter_ring, "ring", store_and_forward, "(p - 1)(ts + tw m + tc m)", dual<one_by_one>, grama},
      {&reduce_scatter_ring, "linear", alpha_beta, "(p - 1)(ts + tw m + tc m)", dual<one_by_one>, grama},
      ClosedForm{&reduce_scatter_neighbour_exchange, "ring", store_and_forward, "ts p/2 + (tw + tc) m (p - 1)",
                 dual<in_pairs_reversed>}
          .needing(even_ranks),
      {&reduce_scatter_mesh, "torus", store_and_forward, "ts (sum over extents e of e - 1) + (tw + tc) m (p - 1)",
       dual<along_lines>, grama},
      {&reduce_scatter_recursive_halving, "hypercube", store_and_forward, "ts d + (tw + tc) m (p - 1)",
       dual<logarithmic>, grama},
  };
}

}  // namespace tutti
