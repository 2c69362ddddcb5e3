/// @file
/// Traffic of a schedule within nodes and between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/model/layout.hpp"
#include "schedule/model/schedule.hpp"

namespace tutti {

/// The messages of a schedule, summed by the nodes that they leave and reach.
class NodeTraffic {
 public:
  struct Sums {
    std::int64_t messages = 0;
    std::int64_t elements = 0;

    Sums& operator+=(const Sums& other);
    friend bool operator==(const Sums&, const Sums&) = default;
  };
  /// One node's share. A message between ranks of a node is within it; others are sent by one and received by another.
  struct Node {
    Sums within;
    Sums sent;
    Sums received;
  };

  /// Counts the traffic of ranks whose places `layout` holds; the layout outlives this.
  explicit NodeTraffic(const Layout& layout) : layout_(layout), nodes_(static_cast<std::size_t>(layout.nodes())) {}

  /// One message.
  void add(int from, int to, std::int64_t elements);
  /// All messages that a rank sends.
  void add(int rank, const Program& program);

  /// By node.
  std::span<const Node> nodes() const { return nodes_; }
  /// All messages, and those that go from one node to another.
  Sums all() const;
  Sums between() const;

 private:
  const Layout& layout_;
  std::vector<Node> nodes_;
};

}  // namespace tutti
