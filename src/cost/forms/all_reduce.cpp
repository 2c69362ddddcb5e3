/// @file
/// All-reduce.

#include "algorithms/all_reduce/multiplying.hpp"
#include "algorithms/table.hpp"
#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

using namespace algorithms;

// A reduce-scatter that combines, then an all-gather that moves the same messages backwards.
Terms there_and_back(const Terms& terms) { return reducing(terms) + terms; }

Terms reduce_broadcast(const Problem& problem) {
  return there_and_back(messages(ceil_log2(problem.ranks), count(problem)));
}
Terms flat(const Problem& problem) { return reducing(messages(problem.ranks - 1, count(problem))); }
Terms ring(const Problem& problem) { return there_and_back(messages(problem.ranks - 1, largest_part(problem))); }

// Terms of folding: if p is no power of two, some ranks are folded into others before and get the result after.
Terms folding(const Problem& problem) {
  return is_power_of_two(problem.ranks) ? Terms{} : there_and_back(messages(1, count(problem)));
}

Terms recursive_doubling(const Problem& problem) {
  return reducing(messages(floor_log2(problem.ranks), count(problem))) + folding(problem);
}

// Ranks into which others are folded begin late, and the others' messages do not meet in turn.
const Condition nothing_folded{"p = c k^d, c < k", [](const Problem& problem, const Parameters& parameters) {
                                 return Multiplied(problem.ranks, parameters.radix_for(problem.ranks)).folded() == 0;
                               }};

Terms recursive_multiplying(const Problem& problem, const Parameters& parameters) {
  const double rounds = claimed_rounds(all_reduce_recursive_multiplying, problem, parameters);
  return reducing(messages(rounds, count(problem)));
}

Terms rabenseifner(const Problem& problem) {
  return there_and_back(halving(problem.count, floor_power_of_two(problem.ranks))) + folding(problem);
}

// Rank 0 sends, and in the reduce-scatter receives, the largest run of parts in every round. Where parts are swung to
// and fro none need be that large.
Terms circulant(const Problem& problem) {
  Terms terms;
  for (int held = problem.ranks; held > 1; held = ceil_divide(held, 2)) {
    terms += messages(1, largest_run(problem.count, problem.ranks, held / 2));
  }
  return there_and_back(terms);
}

// Adds as many rounds each way.
Terms part_by_part(const Problem& problem, double rounds) {
  return there_and_back({.starts = rounds / 2, .elements = (problem.ranks - 1) * largest_part(problem)});
}

Terms mesh_multi_port(const Problem& problem, const Parameters& parameters) {
  return part_by_part(problem, claimed_rounds(all_reduce_mesh_multi_port, problem, parameters));
}

Terms swing_multi_port(const Problem& problem, const Parameters& parameters) {
  return part_by_part(problem, claimed_rounds(all_reduce_swing_multi_port, problem, parameters));
}

Terms mesh_pat(const Problem& problem, const Parameters& parameters) {
  return part_by_part(problem, claimed_rounds(all_reduce_mesh_pat, problem, parameters));
}

Terms two_tree(const Problem& problem, const Parameters& parameters) {
  const std::int64_t segments = segments_of(problem, parameters);
  const double rounds = claimed_rounds(all_reduce_two_tree, problem, parameters) / 2;
  return there_and_back(messages(rounds, static_cast<double>(ceil_divide(problem.count, segments))));
}

// Rings along the lines of each dimension; what a line's rank stands for are `stride` consecutive parts.
Terms mesh(const Problem& problem, const Parameters& parameters) {
  const double elements = over_dimensions(problem, parameters, [&](int extent, int stride) {
    return (extent - 1) * largest_run(problem.count, problem.ranks, stride);
  });
  return there_and_back({.starts = ring_steps(problem, parameters), .elements = elements});
}

}  // namespace

std::vector<ClosedForm> all_reduce_forms() {
  using enum Switching;
  return {
      {&all_reduce_reduce_broadcast, "full", alpha_beta, "ceil(log2 p)(2 ts + 2 tw m + tc m)", reduce_broadcast},
      {&all_reduce_recursive_doubling, "full", alpha_beta,
       "floor(log2 p)(ts + tw m + tc m), and 2 ts + 2 tw m + tc m unless p = 2^d", recursive_doubling},
      ClosedForm{&all_reduce_recursive_multiplying, "full", alpha_beta,
                 "((k - 1) d + c - 1)(ts + tw m + tc m), p = c k^d, c < k", recursive_multiplying}
          .needing(nothing_folded),
      {&all_reduce_ring, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring},
      {&all_reduce_rabenseifner, "full", alpha_beta,
       "2 ts d + (2 tw + tc) m (2^d - 1)/2^d, d = floor(log2 p), and 2 ts + 2 tw m + tc m unless p = 2^d",
       rabenseifner},
      {&all_reduce_circulant, "full", alpha_beta, "2 ts ceil(log2 p) + (2 tw + tc) m (p - 1)/p", circulant},
      ClosedForm{
          &all_reduce_two_tree, "full", alpha_beta,
          "(S + 2 ceil(log2 p) - c)(2 ts + (2 tw + tc) m/S), S segments, c = 1, 3, 2, 2 for p = 0, 1, 2, 3 mod 4",
          two_tree}
          .exact_if(equal_segments)
          .exact_combining_if(two_ranks),
      ClosedForm{&all_reduce_swing, "full", alpha_beta, "2 ts d + (2 tw + tc) m (p - 1)/p", circulant}.exact_if(
          equal_parts),
      ClosedForm{&all_reduce_swing_multi_port, "full", alpha_beta, "4 n ts d + (2 tw + tc) m (p - 1)/p, n dimensions",
                 swing_multi_port}
          .needing(equal_parts),
      ClosedForm{&all_reduce_bine, "full", alpha_beta, "2 ts d + (2 tw + tc) m (p - 1)/p", circulant}.exact_if(
          equal_parts),
      {&all_reduce_mesh, "full", alpha_beta, "2 ts (sum over extents e of e - 1) + (2 tw + tc) m (p - 1)/p", mesh},
      ClosedForm{&all_reduce_mesh_multi_port, "full", alpha_beta,
                 "4 n ts (sum over extents e of e - 1) + (2 tw + tc) m (p - 1)/p, n dimensions", mesh_multi_port}
          .needing(equal_parts),
      ClosedForm{&all_reduce_mesh_pat, "full", alpha_beta,
                 "2 ts (sum over extents e > 1 of log2 A + 2^ceil(log2 e)/A - 1) + (2 tw + tc) m (p - 1)/p, A = "
                 "2^floor(log2 k) "
                 "parts a message",
                 mesh_pat}
          .needing(equal_parts),
      {&all_reduce_flat, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", flat},
      ClosedForm{&all_reduce_direct, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring}.needing(equal_parts),
      {&all_reduce_leaders, "full", alpha_beta, "ceil(log2 p)(2 ts + 2 tw m + tc m)", reduce_broadcast},
      ClosedForm{&all_reduce_multi_leader, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring}.needing(
          equal_parts),
      ClosedForm{&all_reduce_multi_leader_doubling, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring}
          .needing(equal_parts),
      {&all_reduce_ring, "ring", store_and_forward, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring, grama},
      {&all_reduce_mesh, "torus", store_and_forward, "2 ts (sum over extents e of e - 1) + (2 tw + tc) m (p - 1)/p",
       mesh, grama},
      {&all_reduce_recursive_doubling, "hypercube", store_and_forward, "d (ts + tw m + tc m)", recursive_doubling,
       grama},
      {&all_reduce_rabenseifner, "hypercube", store_and_forward, "2 ts d + (2 tw + tc) m (p - 1)/p", rabenseifner},
      {&all_reduce_reduce_broadcast, "hypercube", store_and_forward, "d (2 ts + 2 tw m + tc m)", reduce_broadcast,
       grama},
  };
}

}  // namespace tutti
