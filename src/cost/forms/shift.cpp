/// @file
/// Circular shift.

#include <algorithm>
#include <bit>

#include "algorithms/table.hpp"
#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

using namespace algorithms;

int distance(const Problem& problem) { return modulo(problem.distance, problem.ranks); }
int shorter_distance(const Problem& problem) { return std::min(distance(problem), problem.ranks - distance(problem)); }

Terms steps(const Problem& problem, double n) { return messages(n, static_cast<double>(problem.count)); }

Terms direct(const Problem& problem) { return steps(problem, distance(problem) == 0 ? 0 : 1); }
Terms ring(const Problem& problem) { return steps(problem, shorter_distance(problem)); }

// In each dimension the shorter way round, and a step more where blocks went past the end of the faster dimensions.
Terms mesh(const Problem& problem, const Parameters& parameters) {
  const int q = shorter_distance(problem);
  return steps(problem, over_dimensions(problem, parameters, [&](int extent, int stride) {
                 const int digit = q / stride % extent;
                 const bool compensates = q % stride > 0 && extent > 1;
                 return std::min(digit, extent - digit) + (compensates ? 1 : 0);
               }));
}

// Two links for a power of two, one for 1; the way round that takes fewer.
Terms gray_code(const Problem& problem) {
  const auto links = [](int q) { return 2 * std::popcount(static_cast<unsigned>(q / 2)) + q % 2; };
  const int q = distance(problem);
  return steps(problem, q == 0 ? 0 : std::min(links(q), links(problem.ranks - q)));
}

// The longest E-cube route: a carry may run from q's lowest set bit to the highest.
Terms direct_on_hypercube(const Problem& problem) {
  Terms terms = direct(problem);
  const int q = distance(problem);
  if (q > 0) terms.hops = ceil_log2(problem.ranks) - std::countr_zero(static_cast<unsigned>(q));
  return terms;
}

}  // namespace

std::vector<ClosedForm> shift_forms() {
  using enum Switching;
  return {
      {&shift_direct, "full", alpha_beta, "ts + tw m", direct},
      {&shift_ring, "full", alpha_beta, "min(q, p - q)(ts + tw m)", ring},
      {&shift_mesh, "full", alpha_beta, "(min(b, c - b) + [b > 0] + min(a, r - a))(ts + tw m), min(q, p - q) = a c + b",
       mesh},
      {&shift_gray_code, "full", alpha_beta,
       "s (ts + tw m), s = the fewer of 2 bits(floor(x/2)) + x mod 2 for x = q and x = p - q", gray_code},
      {&shift_ring, "ring", store_and_forward, "min(q, p - q)(ts + tw m)", ring, grama},
      {&shift_mesh, "torus", store_and_forward,
       "(min(b, c - b) + [b > 0] + min(a, r - a))(ts + tw m), min(q, p - q) = a c + b", mesh, grama},
      {&shift_direct, "hypercube", cut_through, "ts + tw m + th (d - j), 2^j the greatest power of two in q",
       direct_on_hypercube, grama},
  };
}

}  // namespace tutti
