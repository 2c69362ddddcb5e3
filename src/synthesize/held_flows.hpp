/// @file
/// Flows that bring every rank all that there is to tell, kept up while links become narrower.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/capacities.hpp"

namespace tutti::synthesize {

/// For each rank a flow that brings it all that nodes feed. A link becomes narrower only as far as every flow finds
/// another way: that much, and no more, leaves every set of nodes without some rank links enough for what it feeds.
///
/// Most changes touch few flows, and a flow that exceeds a link takes a way around its two ends: no flow begins anew.
/// Cost: a number for each link and rank; a search over the links for each flow that must give way.
/// Source: L. R. Ford, D. R. Fulkerson, Maximal Flow through a Network, 1956 (ways around by augmenting paths).
class HeldFlows {
 public:
  static constexpr std::int64_t unlimited = std::int64_t{1} << 60;

  /// Nothing is fed yet.
  explicit HeldFlows(const Capacities& capacities);

  int nodes() const { return static_cast<int>(beside_.size()); }
  std::int64_t capacity(int from, int to) const;
  /// The nodes to which links lead that have some capacity, in any order.
  std::vector<int> neighbours(int from) const;

  int add_node();
  void widen(int from, int to, std::int64_t amount);
  /// The node feeds every rank so much more, for which there must be room.
  void feed(int node, std::int64_t amount);
  /// A new node with the same links out, which feeds `amount` of what the node has fed.
  int divide(int node, std::int64_t amount);

  /// Takes as much from the capacity as can be, at most `amount`; returns how much.
  std::int64_t narrow(int from, int to, std::int64_t amount);
  /// Moves as much capacity from all links of a way of several to one straight between its ends as can be, at most
  /// `amount`; returns how much.
  std::int64_t split_off(std::span<const int> way, std::int64_t amount);
  /// Takes all links of the node away, if that can be; returns whether it could.
  bool drop(int node);

  /// Where narrow() has last found less room than it was to take: by node, who is on the near side of the links that
  /// left no more.
  const std::vector<char>& narrow_side() const { return side_; }

 private:
  struct Arc {
    int from = 0;
    int to = 0;
    std::int64_t capacity = 0;
  };
  // By how much what flows to a rank over an arc has become more.
  struct Change {
    std::size_t rank = 0;
    std::size_t arc = 0;
    std::int64_t amount = 0;
  };

  void detach(int node);
  int find(int from, int to) const;
  std::size_t found_or_added(int from, int to);
  void change(std::size_t arc, std::int64_t amount) { arcs_[arc].capacity += amount; }
  void change_flow(std::size_t rank, std::size_t arc, std::int64_t amount) {
    flows_[rank][arc] += amount;
    changes_.push_back({rank, arc, amount});
  }
  // What of `amount` finds no way.
  std::int64_t send(std::size_t rank, int from, int to, std::int64_t amount);
  bool search(std::size_t rank, int from, int to);
  // Lets flows give way that exceed one of the arcs; otherwise says how much of the first such flow cannot, and all
  // flows are as they were. The flow to the rank `first` is looked at first.
  std::int64_t repair(const std::vector<std::size_t>& arcs, int first);
  // The same where what the arcs of a way lost was given to one that leads straight past the nodes between.
  std::int64_t repair_straight(const std::vector<std::size_t>& arcs, std::size_t straight);

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> beside_;  // of each node: 2 arc where it begins there, 2 arc + 1 where it ends
  std::vector<std::vector<std::int64_t>> flows_;  // to each rank, over each arc
  std::vector<Change> changes_;                   // since the last repair began
  std::vector<char> side_;
  std::vector<std::size_t> reached_by_;
  std::vector<int> queue_;
};

}  // namespace tutti::synthesize
