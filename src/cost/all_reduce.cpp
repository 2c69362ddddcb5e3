/// @file
/// All-reduce.

#include "algorithms/all_reduce/all_reduce.hpp"
#include "cost/forms.hpp"

namespace tutti {
namespace {

using namespace algorithms;

double count(const Problem& problem) { return static_cast<double>(problem.count); }

// A reduce-scatter that combines, then an all-gather that moves the same messages backwards.
Terms there_and_back(const Terms& terms) { return reducing(terms) + terms; }

Terms reduce_broadcast(const Problem& problem) {
  return there_and_back(messages(ceil_log2(problem.ranks), count(problem)));
}
Terms flat(const Problem& problem) { return reducing(messages(problem.ranks - 1, count(problem))); }
Terms ring(const Problem& problem) { return there_and_back(messages(problem.ranks - 1, largest_part(problem))); }

// Where p is no power of two, some ranks are folded into others before and get the result after.
Terms folding(const Problem& problem) {
  return is_power_of_two(problem.ranks) ? Terms{} : there_and_back(messages(1, count(problem)));
}

Terms recursive_doubling(const Problem& problem) {
  return reducing(messages(floor_log2(problem.ranks), count(problem))) + folding(problem);
}

Terms rabenseifner(const Problem& problem) {
  return there_and_back(halving(problem.count, floor_power_of_two(problem.ranks))) + folding(problem);
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
      {&all_reduce_ring, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring},
      {&all_reduce_rabenseifner, "full", alpha_beta,
       "2 ts d + (2 tw + tc) m (2^d - 1)/2^d, d = floor(log2 p), and 2 ts + 2 tw m + tc m unless p = 2^d",
       rabenseifner},
      {&all_reduce_mesh, "full", alpha_beta, "2 ts (sum over extents e of e - 1) + (2 tw + tc) m (p - 1)/p", mesh},
      {&all_reduce_flat, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", flat},
      {&all_reduce_direct, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring, {equal_parts}},
      {&all_reduce_leaders, "full", alpha_beta, "ceil(log2 p)(2 ts + 2 tw m + tc m)", reduce_broadcast},
      {&all_reduce_multi_leader, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring, {equal_parts}},
      {&all_reduce_multi_leader_doubling, "full", alpha_beta, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring, {equal_parts}},
      {&all_reduce_ring, "ring", store_and_forward, "(p - 1)(2 ts + (2 tw + tc) m/p)", ring, {}, grama},
      {&all_reduce_mesh,
       "torus",
       store_and_forward,
       "2 ts (sum over extents e of e - 1) + (2 tw + tc) m (p - 1)/p",
       mesh,
       {},
       grama},
      {&all_reduce_recursive_doubling,
       "hypercube",
       store_and_forward,
       "d (ts + tw m + tc m)",
       recursive_doubling,
       {},
       grama},
      {&all_reduce_rabenseifner, "hypercube", store_and_forward, "2 ts d + (2 tw + tc) m (p - 1)/p", rabenseifner},
      {&all_reduce_reduce_broadcast,
       "hypercube",
       store_and_forward,
       "d (2 ts + 2 tw m + tc m)",
       reduce_broadcast,
       {},
       grama},
  };
}

}  // namespace tutti
