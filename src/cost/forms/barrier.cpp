/// @file
/// Barrier: messages without bytes.

#include "algorithms/table.hpp"
#include "cost/forms/forms.hpp"

namespace tutti {

std::vector<ClosedForm> barrier_forms() {
  using namespace algorithms;
  return {
      {&barrier_dissemination, "full", Switching::alpha_beta, "ts ceil(log2 p)",
       [](const Problem& problem) { return messages(ceil_log2(problem.ranks), 0); }},
      {&barrier_tree, "full", Switching::alpha_beta, "2 ts ceil(log2 p)",
       [](const Problem& problem) { return messages(2 * ceil_log2(problem.ranks), 0); }},
      {&barrier_flat, "full", Switching::alpha_beta, "ts (p - 1)",
       [](const Problem& problem) { return messages(problem.ranks - 1, 0); }},
      {&barrier_leaders, "full", Switching::alpha_beta, "2 ts ceil(log2 p)",
       [](const Problem& problem) { return messages(2 * ceil_log2(problem.ranks), 0); }},
  };
}

}  // namespace tutti
