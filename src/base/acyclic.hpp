/// @file
/// Acyclic graphs: tells whether the edges of a directed graph make no cycle.
#pragma once

#include <cstddef>
#include <vector>

namespace tutti {

/// Whether a directed graph, each of whose nodes has a list of those that its edges lead to, has no cycle.
/// O(nodes + edges).
inline bool is_acyclic(const std::vector<std::vector<int>>& successors) {
  std::vector<int> open(successors.size(), 0);  // edges from nodes that were not taken yet
  for (const std::vector<int>& each : successors) {
    for (const int to : each) ++open[static_cast<std::size_t>(to)];
  }
  std::vector<int> taken;
  for (std::size_t node = 0; node < open.size(); ++node) {
    if (open[node] == 0) taken.push_back(static_cast<int>(node));
  }
  for (std::size_t k = 0; k < taken.size(); ++k) {
    for (const int to : successors[static_cast<std::size_t>(taken[k])]) {
      if (--open[static_cast<std::size_t>(to)] == 0) taken.push_back(to);
    }
  }
  return taken.size() == successors.size();
}

}  // namespace tutti
