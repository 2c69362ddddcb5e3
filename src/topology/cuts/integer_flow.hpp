/// @file
/// The greatest flow between two nodes, in whole numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "topology/cuts/capacities.hpp"

namespace tutti {

/// A network on which one greatest flow after the other is found, each by itself: push-relabel, by Boost.Graph.
/// Source: A. V. Goldberg, R. E. Tarjan, A New Approach to the Maximum-Flow Problem, 1988.
class IntegerFlow {
 public:
  explicit IntegerFlow(const Capacities& capacities);
  ~IntegerFlow();
  IntegerFlow(const IntegerFlow&) = delete;
  IntegerFlow& operator=(const IntegerFlow&) = delete;

  /// The greatest flow from `source` to `sink`, which differ.
  std::int64_t greatest(int source, int sink);
  /// After greatest(): the nodes that no longer reach the sink, which are the source's side of the narrowest cut.
  std::vector<char> sources_side() const;

 private:
  struct Net;
  std::unique_ptr<Net> net_;
};

}  // namespace tutti
