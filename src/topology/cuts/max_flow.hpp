/// @file
/// The greatest flow through a network, which is its narrowest cut.
#pragma once

#include <memory>
#include <vector>

namespace tutti {

/// Augmenting paths by breadth-first search, the shortest first; source: J. Edmonds, R. M. Karp, Theoretical
/// Improvements in Algorithmic Efficiency for Network Flow Problems, 1972.
///
/// Nodes become sources and sinks one after the other, and the flow grows from what it is: whatever flows stays
/// possible when a node that passed everything on may begin to produce or consume. Copies go on from what flows, each
/// for itself, and are cheap; links are added before the first copy is made.
class MaxFlow {
 public:
  explicit MaxFlow(int nodes);

  /// A link with a capacity each way.
  void add_link(int from, int to, double capacity, double backwards);
  void make_source(int node) { roles_[static_cast<std::size_t>(node)] = Role::source; }
  void make_sink(int node) { roles_[static_cast<std::size_t>(node)] = Role::sink; }

  /// Lets as much flow as can, or at least `enough`; returns what flows in all.
  double flow(double enough);
  /// For each node whether sources still reach it over links with room: the sources' side of the narrowest cut.
  std::vector<char> sources_side() const;

 private:
  enum class Role : char { passes, source, sink };
  // Network that copies share, because only add_link() changes it: arc i and its reverse i ^ 1.
  struct Net {
    std::vector<int> arc_ends;
    std::vector<std::vector<int>> out;
  };

  int find_sink(std::vector<int>& by) const;

  std::vector<Role> roles_;
  std::shared_ptr<Net> net_;
  std::vector<double> rooms_;  // room of each arc
  double flow_ = 0;
};

}  // namespace tutti
