/// @file
/// Capacities of a network's links, in whole numbers: flows are counted in them.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/machine.hpp"

namespace tutti {

/// Capacities between all nodes of a network, of which the first `ranks()` are ranks; 0 where there is no link.
class Capacities {
 public:
  Capacities(int ranks, int nodes)
      : ranks_(ranks), nodes_(nodes), each_(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes)) {}

  int ranks() const { return ranks_; }
  int nodes() const { return nodes_; }
  std::int64_t& at(int from, int to) { return each_[place(from, to)]; }
  std::int64_t at(int from, int to) const { return each_[place(from, to)]; }

  std::int64_t out_of(int node) const;
  std::int64_t into(int node) const;
  /// Returns the capacity from the nodes inside to the others.
  std::int64_t out_of(const std::vector<char>& inside) const;
  /// Every link turned round.
  Capacities reversed() const;
  /// Returns the capacities with `more` nodes without links behind the others.
  Capacities with_nodes(int more) const;
  /// Every capacity times a / b, rounded down.
  Capacities times(std::int64_t a, std::int64_t b) const;

  friend bool operator==(const Capacities&, const Capacities&) = default;

 private:
  std::size_t place(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(to);
  }

  int ranks_;
  int nodes_;
  std::vector<std::int64_t> each_;
};

/// A network's capacities, and what one of them stands for.
struct MeasuredCapacities {
  Capacities capacities;
  double unit = 0;  ///< bytes a second
  /// Otherwise they are rounded down by less than a thousandth, unless some are more than a million times others.
  bool exact = true;
};

/// Most nodes of a network whose capacities are told: they are held for each pair.
inline constexpr int most_nodes_with_capacities = 2048;

/// Throws `Error(invalid_argument)` where the network has more. O(1).
void check_nodes(const Topology& topology);

/// Returns the capacities of the links on that machine. A link on which bytes cost nothing carries what all others do
/// together. Throws `Error(invalid_argument)` as check_nodes() does, and if bytes cost nothing anywhere.
MeasuredCapacities capacities_of(const Topology& topology, const Machine& machine);

}  // namespace tutti
