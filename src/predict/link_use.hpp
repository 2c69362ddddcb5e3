/// @file
/// How long the links of nodes are in use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "schedule/layout.hpp"

namespace tutti {

/// What crosses the link of each node, which carries both directions at a time, in seconds. The layout must outlive it.
class LinkUse {
 public:
  explicit LinkUse(const Layout& layout) : layout_(layout) {}

  /// A message between ranks of different nodes.
  void add(int from, int to, double seconds) {
    const auto nodes = static_cast<std::size_t>(layout_.nodes());
    out_of_.resize(nodes);
    into_.resize(nodes);
    out_of_[static_cast<std::size_t>(layout_.node_of(from))] += seconds;
    into_[static_cast<std::size_t>(layout_.node_of(to))] += seconds;
  }
  double busiest() const {
    double busiest = 0;
    for (const std::vector<double>* links : {&out_of_, &into_}) {
      for (const double seconds : *links) busiest = std::max(busiest, seconds);
    }
    return busiest;
  }

 private:
  const Layout& layout_;
  std::vector<double> out_of_;  // by node
  std::vector<double> into_;
};

}  // namespace tutti
