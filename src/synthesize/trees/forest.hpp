/// @file
/// Spanning trees that use a network's links as fully as any schedule can.
///
/// A tree carries one part of what its root has to tell to all other ranks. Trees that together need no more of a link
/// than it carries run side by side, and as fast as the network's narrowest cut allows:
///
///     1. the narrowest cut says how long a byte of every rank takes at least (topology/cuts/narrowest.hpp);
///     2. capacities become whole numbers of trees, `each` trees for each rank;
///     3. switches, which no message ends at, are taken out: what leads through them becomes links between ranks;
///     4. all trees grow together, edge by edge from their roots on, each edge in as many copies as leave all of them
///        enough to go on with.
///
/// Sources: J. Edmonds, Edge-disjoint branchings, 1973; J. Bang-Jensen, A. Frank, B. Jackson, Preserving and increasing
/// local edge-connectivity in mixed graphs, 1995 (step 3); K. Bérczi, A. Frank, Packing arborescences, 2009 (step 4);
/// L. Zhao, S. Pal, T. Chugh, W. Wang, P. Basu, J. Khoury, A. Krishnamurthy, ForestColl: Efficient Collective
/// Communications on Heterogeneous Network Fabrics, 2024 (the four together).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "synthesize/request.hpp"
#include "topology/cuts/narrowest.hpp"
#include "topology/topology.hpp"

namespace tutti::synthesize {

/// The nodes that a message passes between two ranks, and these.
using Way = std::vector<int>;

/// The network's own routes of more than one link between all ranks, the shortest first. Among routes of one length the
/// ranks that they begin at take turns. `turned`: every route from its end to its beginning.
std::vector<Way> own_ways(const Topology& topology, bool turned);

/// An edge of a tree, from the rank nearer to the root. `depth` counts the edges from the root up to this one.
struct TreeEdge {
  int from = 0;
  int to = 0;
  int depth = 1;

  friend bool operator==(const TreeEdge&, const TreeEdge&) = default;
};

/// A spanning tree, and how many of its root's `Forest::each` parts it carries.
struct Tree {
  int root = 0;
  std::int64_t parts = 1;
  std::vector<TreeEdge> edges;  ///< in the order in which they were found: each begins where an earlier one ended
};

/// All trees. Those of a root carry `each` parts together.
struct Forest {
  std::vector<Tree> trees;
  std::int64_t each = 1;

  /// The edges of the longest way from a root.
  int depth() const;
};

/// Links between ranks alone that carry what the network with its switches does: from every set of ranks as much as
/// their supplies leads out; along routes, so that their messages need no more of the network's links, as far as these
/// leave enough. Throws `Error(unsupported)` naming a switch that cannot be taken out, which is one whose
/// links carry more in than out, or the other way round.
/// Cost: a change to the flows of all ranks for each two links of a switch (held_flows.hpp).
Capacities without_switches(const Capacities& capacities, const Supplies& supplies, const std::vector<Way>& ways = {});

/// Trees over links between ranks, as many for each rank as its supply. Needs capacities that no cut is too narrow for.
/// Trees are kept low, so that few chunks fill them: none goes a step deeper before all have gone as wide as they can.
/// Cost: a change to the flows of all ranks for each edge of each tree (held_flows.hpp).
Forest pack_trees(const Capacities& capacities, const Supplies& supplies);

/// Capacities in trees, and how long a part takes.
struct Scaled {
  Capacities capacities;  ///< number of trees that may use each link at once
  std::int64_t each = 1;  ///< trees for each unit of supply
  double part_time = 1;   ///< in which a link of one unit of capacity carries this much; trees take it / each
  double factor() const { return part_time / static_cast<double>(each); }
};

/// The capacities times the least factor with which `each` whole trees a unit of supply can be packed: exactly by the
/// narrowest cut where that takes at most `most_trees`, and otherwise, of numbers up to it, by one that is within a
/// hundredth of it or the nearest to it.
Scaled scaled_to_trees(const Capacities& capacities, const Supplies& supplies, const NarrowCut& narrowest,
                       std::int64_t most_trees);

/// Seconds for which the fullest link is taken for each byte that a root has to tell, where every edge of every tree is
/// a message by the network's own route; `turned`: from the edge's end to its beginning.
double time_by_routes(const Forest& forest, const Topology& topology, const Machine& machine, bool turned);

/// Returns how many parts all links together carry, by the network's own routes.
std::int64_t parts_by_routes(const Forest& forest, const Topology& topology, bool turned);

/// A tree of one edge's depth: the root tells all others itself.
Tree star(int ranks, int root);

/// Such a tree of every rank.
Forest stars(int ranks);

/// Trees that lead round the lines of a grid of ranks, row by row, both ways from where they are until they meet: along
/// one dimension from the root, then from all those reached along the next. Each root has a tree that begins with each
/// dimension, so that neighbours along all of them send as much at each depth; and twice that many where lines cannot
/// be halved, with the other way longer. One dimension is a ring of all ranks.
Forest ways_round(int extent, int dimensions);

/// `trees` trees from one root. In one of them each other rank passes data on, to as many ranks as there are trees, and
/// in the rest it sends nothing; where the number of trees does not divide that of the other ranks, the few that are
/// left over share what nobody else passes on, in all trees. So no rank sends more than it gets, which is everything
/// once. Ranks are taken in order from `first` on. The trees are about log(ranks) / log(trees) deep. Nothing where
/// there are fewer other ranks than trees.
/// Source: M. Castro et al., SplitStream: High-Bandwidth Multicast in Cooperative Environments, 2003 (that ranks pass
/// on in one tree alone).
std::optional<Forest> shared_trees(int ranks, int root, int first, int trees);

/// Visits those of at most `wish.most_trees` trees a root, one forest after the other, of which none is kept.
void visit_known_forests(const SynthesisRequest& wish, int ranks, const std::function<void(Forest)>& visit);

/// Visits trees of few edges' depth, of at most 131,072 edges together, whatever room the network has for them.
void visit_low_forests(const SynthesisRequest& wish, int ranks, const std::function<void(const Forest&)>& visit);

}  // namespace tutti::synthesize
