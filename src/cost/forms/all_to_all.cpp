/// @file
/// All-to-all.

#include <algorithm>

#include "algorithms/digits.hpp"
#include "algorithms/table.hpp"
#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

using namespace algorithms;

double ranks(const Problem& problem) { return problem.ranks; }

Terms direct(const Problem& problem) { return messages(problem.ranks - 1, count(problem)); }

Terms mesh_direct(const Problem& problem, const Parameters& parameters) {
  return messages(claimed_rounds(all_to_all_mesh_direct, problem, parameters), count(problem));
}

// Step k moves p - k blocks.
Terms ring(const Problem& problem) {
  return {.starts = ranks(problem) - 1, .elements = count(problem) * ranks(problem) * (ranks(problem) - 1) / 2};
}

Terms ring_bidirectional(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  return {.starts = ranks(problem) - 1, .elements = count(problem) * static_cast<double>(p * p / 4)};
}

// On a line of e ranks the ring algorithm with p/e blocks for each rank of the line. Between two phases a rank sorts all
// of its p blocks by their destinations' places in the next line.
Terms mesh(const Problem& problem, const Parameters& parameters) {
  const double steps = ring_steps(problem, parameters);
  const double blocks = count(problem) * ranks(problem);
  const Shape grid = parameters.grid_for(problem.ranks);
  int phases = 0;
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) phases += grid.extent(dimension) > 1 ? 1 : 0;
  return {.starts = steps, .elements = blocks * steps / 2, .rearranged = blocks * std::max(0, phases - 1)};
}

// Before each step a rank sorts its p blocks, half of which it sends.
Terms hypercube(const Problem& problem) {
  Terms terms = messages(ceil_log2(problem.ranks), count(problem) * ranks(problem) / 2);
  terms.rearranged = 2 * terms.elements;
  return terms;
}

// The j of all steps have p/2 bits set in each of d places.
Terms pairwise_on_hypercube(const Problem& problem) {
  Terms terms = direct(problem);
  terms.hops = ranks(problem) * ceil_log2(problem.ranks) / 2;
  return terms;
}

Terms bruck_with(const Problem& problem, int radix) {
  Terms terms;
  const Digits slots(problem.ranks, radix);
  slots.for_each_value([&](int weight, int value) {
    terms += messages(1, count(problem) * static_cast<double>(slots.with_digit(weight, value)));
  });
  return terms;
}

Terms bruck(const Problem& problem) { return bruck_with(problem, 2); }
Terms k_bruck(const Problem& problem, const Parameters& parameters) {
  return bruck_with(problem, parameters.radix_for(problem.ranks));
}

// The two phases of the tree algorithm. `links(distance, extent)` says how often a block counts that goes `distance`
// steps along a line of `extent` ranks.
template <typename Links>
Terms tree_with(const Problem& problem, const Parameters& parameters, Links&& links) {
  const Shape grid = parameters.grid_for(problem.ranks);
  const int columns = grid.extent(grid.dimensions() - 1);
  const int rows = problem.ranks / columns;
  Terms terms;
  for (int have = 1; have < columns; have *= 2) {
    const double blocks = std::min(have, columns - have) * (ranks(problem) - 1);
    terms += messages(1, count(problem) * blocks * links(have, columns));
  }
  for (int distance = 1; distance < rows; distance *= 2) {
    const double blocks = columns * static_cast<double>(count_with_bit(rows, distance));
    terms += messages(1, count(problem) * blocks * links(distance, rows));
  }
  return terms;
}

Terms tree(const Problem& problem, const Parameters& parameters) {
  return tree_with(problem, parameters, [](int, int) { return 1; });
}

// Stored and forwarded over every link of the way, the shorter one round the line. All ranks do the same, so that a
// link has one message at a time: each is one link ahead of the next.
Terms tree_on_mesh(const Problem& problem, const Parameters& parameters) {
  return tree_with(problem, parameters, [](int distance, int extent) { return std::min(distance, extent - distance); });
}

constexpr std::string_view lecture_notes = "Lecture notes on all-to-all after Grama et al., §4";
const Condition two_dimensions{"a grid of two dimensions", [](const Problem& problem, const Parameters& parameters) {
                                 return parameters.grid_for(problem.ranks).dimensions() == 2;
                               }};

}  // namespace

std::vector<ClosedForm> all_to_all_forms() {
  using enum Switching;
  return {
      {&all_to_all_linear, "full", alpha_beta, "(p - 1)(ts + tw m)", direct},
      {&all_to_all_ring, "full", alpha_beta, "(p - 1)(ts + tw m p/2)", ring},
      {&all_to_all_ring_bidirectional, "full", alpha_beta, "ts (p - 1) + tw m floor(p²/4)", ring_bidirectional},
      {&all_to_all_mesh, "full", alpha_beta, "(sum over extents e of e - 1)(ts + tw m p/2)", mesh},
      {&all_to_all_mesh_direct, "full", alpha_beta, "p (ts + tw m); all extents 1, 2, 6, 8, 10, …: (p - 1)(ts + tw m)",
       mesh_direct},
      {&all_to_all_hypercube, "full", alpha_beta, "d (ts + tw m p/2)", hypercube},
      {&all_to_all_pairwise, "full", alpha_beta, "(p - 1)(ts + tw m)", direct},
      {&all_to_all_pairwise_modular, "full", alpha_beta, "(p - 1)(ts + tw m)", direct},
      {&all_to_all_bruck, "full", alpha_beta, "sum over k = 1, 2, 4, … < p of ts + tw m #{i < p : i AND k != 0}",
       bruck},
      {&all_to_all_k_bruck, "full", alpha_beta,
       "sum over weights w = 1, k, k², … < p and values v w < p of ts + tw m #{i < p : floor(i/w) mod k = v}", k_bruck},
      {&all_to_all_tree, "full", alpha_beta,
       "ts (ceil(log2 c) + ceil(log2 r)) + tw m ((c - 1)(p - 1) + c (sum over k = 1, 2, 4, … < r of #{i < r : i AND k "
       "!= 0}))",
       tree},
      {&all_to_all_multi_leader, "full", alpha_beta, "(p - 1)(ts + tw m)", direct},
      {&all_to_all_ring, "ring", store_and_forward, "(p - 1)(ts + tw m p/2)", ring, grama},
      {&all_to_all_ring_bidirectional, "ring", store_and_forward, "ts (p - 1) + tw m floor(p²/4)", ring_bidirectional,
       grama},
      {&all_to_all_mesh, "torus", store_and_forward, "(sum over extents e of e - 1)(ts + tw m p/2)", mesh, grama},
      {&all_to_all_hypercube, "hypercube", store_and_forward, "d (ts + tw m p/2)", hypercube, grama},
      {&all_to_all_pairwise, "hypercube", cut_through, "(p - 1)(ts + tw m) + th p d/2", pairwise_on_hypercube, grama},
      ClosedForm{&all_to_all_tree, "torus", store_and_forward,
                 "sum over steps of ts + tw m b l, b blocks over l links; ts d + tw m ((p - 1)²/3 + p (r - 1)/2) for p "
                 "= r², r = "
                 "2^k",
                 tree_on_mesh, lecture_notes}
          .needing(two_dimensions)
          .crossing_one_link_if([](const Problem& p) { return p.ranks <= 2; }),
  };
}

}  // namespace tutti
