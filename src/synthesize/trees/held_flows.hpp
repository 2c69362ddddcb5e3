/// @file
/// Flows that bring every rank all that there is to tell, kept up while links become narrower.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "topology/cuts/capacities.hpp"

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

  /// Returns, if narrow() has last found less room than it was to take, by node, who is on the near side of the links
  /// that left no more.
  const std::vector<char>& narrow_side() const { return side_; }

 private:
  // Mark of nodes in a search.
  static constexpr std::size_t unreached = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t at_end = unreached - 1;

  struct Arc {
    int from = 0;
    int to = 0;
    std::int64_t capacity = 0;
    bool is_attached = false;  // whether its nodes have it beside them
  };
  // By how much what flows to a rank over an arc has become more.
  struct Change {
    std::size_t rank = 0;
    std::size_t arc = 0;
    std::int64_t amount = 0;
  };

  int find(int from, int to) const;
  std::size_t found_or_added(int from, int to);
  void detach_if_empty(std::size_t arc);
  void change(std::size_t arc, std::int64_t amount) { arcs_[arc].capacity += amount; }
  void change_flow(std::size_t rank, std::size_t arc, std::int64_t amount) {
    flows_[rank][arc] += amount;
    changes_.push_back({rank, arc, amount});
  }
  // Returns the part of `amount` that finds no way.
  std::int64_t send(std::size_t rank, int from, int to, std::int64_t amount);
  bool search(std::size_t rank, int from, int to);
  // A node on a way: `reached_by_` says how it is reached, and `left_by_` how it goes on. -1: there is no way.
  int meeting(std::size_t rank, int from, int to);
  template <typename LeadsOn>
  int look_ahead(std::size_t rank, const LeadsOn& leads_on);
  int look_back(std::size_t rank);
  // Whether more can flow to the rank over an arc from where it begins, or back from where it ends.
  bool has_room(std::size_t rank, std::size_t end) const;
  // Returns the end at `from` of an arc over which more can flow on to `to`.
  std::size_t end_with_room(std::size_t rank, int from, int to) const;
  // The other node of an arc that begins, or ends, at a node.
  int far_end(std::size_t end) const { return end % 2 == 0 ? arcs_[end / 2].to : arcs_[end / 2].from; }
  // Lets flows give way that exceed one of the arcs; otherwise says how much of the first such flow cannot, and all
  // flows are as they were. The flow to the rank `first` is looked at first.
  std::int64_t repair(const std::vector<std::size_t>& arcs, int first);
  // Repairs flows if the loss of a way's arcs was given to one that leads straight past the nodes between.
  std::int64_t repair_straight(const std::vector<std::size_t>& arcs, std::size_t straight);

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> beside_;  // arcs of each node: 2 arc if it begins there, 2 arc + 1 if it ends
  std::vector<std::vector<int>> arcs_to_;         // arcs of each node, by where they lead; -1: none
  std::vector<std::vector<std::int64_t>> flows_;  // to each rank, over each arc
  std::vector<Change> changes_;                   // since the last repair began
  std::vector<char> side_;
  // State of a search, by node: the arc's end over which it was reached from the start, and that over which it goes on
  // to the target; and in order the nodes reached from either, of which those from `ahead_` and `back_` on were not
  // looked past.
  std::vector<std::size_t> reached_by_;
  std::vector<std::size_t> left_by_;
  std::vector<int> queue_;
  std::vector<int> back_queue_;
  std::size_t ahead_ = 0;
  std::size_t back_ = 0;
};

}  // namespace tutti::synthesize
