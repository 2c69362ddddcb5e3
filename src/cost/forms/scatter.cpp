/// @file
/// Scatter and its dual, gather: the same times, since nothing is combined.

#include "algorithms/table.hpp"
#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

using namespace algorithms;

// The root's own messages: all blocks but its own, once each, however they are grouped.
Terms from_root(const Problem& problem, double starts) {
  return {.starts = starts, .elements = static_cast<double>(problem.ranks - 1) * static_cast<double>(problem.count)};
}

Terms linear(const Problem& problem) { return from_root(problem, problem.ranks - 1); }
Terms binomial(const Problem& problem) { return from_root(problem, ceil_log2(problem.ranks)); }
Terms k_nomial(const Problem& problem, const Parameters& parameters) {
  return from_root(problem, claimed_rounds(scatter_k_nomial, problem, parameters));
}
Terms mesh(const Problem& problem, const Parameters& parameters) {
  return from_root(problem, over_dimensions(problem, parameters, [](int extent, int) { return ceil_log2(extent); }));
}

std::vector<ClosedForm> forms_of(const Algorithm& a_linear, const Algorithm& a_binomial, const Algorithm& a_k_nomial,
                                 const Algorithm& a_mesh, const Algorithm& by_leaders) {
  using enum Switching;
  return {
      {&a_linear, "full", alpha_beta, "(p - 1)(ts + tw m)", linear},
      {&a_binomial, "full", alpha_beta, "ts ceil(log2 p) + tw m (p - 1)", binomial},
      {&a_k_nomial, "full", alpha_beta, "ts ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1) + tw m (p - 1), L = ceil(log_k p)",
       k_nomial},
      {&a_mesh, "full", alpha_beta, "ts (sum over extents e of ceil(log2 e)) + tw m (p - 1)", mesh},
      {&by_leaders, "full", alpha_beta, "(p - 1)(ts + tw m)", linear},
      {&a_binomial, "hypercube", store_and_forward, "ts d + tw m (p - 1)", binomial, grama},
      ClosedForm{&a_binomial, "linear", alpha_beta, "ts d + tw m (p - 1)", binomial, grama}.needing(power_of_two),
      ClosedForm{&a_mesh, "torus", alpha_beta, "ts d + tw m (p - 1)", mesh, grama}.needing(powers_of_two_grid),
  };
}

}  // namespace

std::vector<ClosedForm> scatter_forms() {
  return forms_of(scatter_linear, scatter_binomial, scatter_k_nomial, scatter_mesh, scatter_leaders);
}
std::vector<ClosedForm> gather_forms() {
  return forms_of(gather_linear, gather_binomial, gather_k_nomial, gather_mesh, gather_leaders);
}

}  // namespace tutti
