/// @file
/// Broadcast on a hypercube along d spanning binomial trees that share no edge: segments go down them by turns.
///
/// Number the ranks by their difference x from the root, bit by bit. Tree j begins with the edge from 0 to 2^j. Above
/// an x that has bit j set is x without its nearest set bit below j, counted round the d bits (x = 2^j is below 0);
/// above any other is x with bit j set: a leaf. So each of a rank's d edges belongs to another tree each way.
///
///     d = 2: tree 0    0 --> 1 --> 3 --> 2        tree 1    0 --> 2 --> 3 --> 1
///
/// Segment i goes down tree j = i mod d. Where step numbers begin with 0 it comes to 2^j in step i, over bit e of an
/// x that has bit j in step i + ((e - j) mod d), and to a leaf in step i + d: no rank receives two segments in a
/// step, and none sends two.
///
/// Needs     p = 2^d, any root; S segments: me.segments_for(m).
/// Buffers   `message`, received and sent in S parts; no scratch.
/// Traffic   (p - 1) S messages, (p - 1) m bytes, each over one link of the hypercube.
/// Time      (S + d)(ts + tw m/S) for d > 1, store-and-forward, too; S (ts + tw m/S) for d = 1.
/// Optimal   in rounds up to one; on a hypercube whose ranks have d ports every link is busy.
/// Source    S. L. Johnsson, C.-T. Ho, Optimum Broadcasting and Personalized Communication in Hypercubes, IEEE
///           Transactions on Computers 38(9), 1989, §3.

#include <vector>

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

/// Edge by which a rank gets the segments of a tree: its source, and the steps after which the root could first have
/// sent them.
struct Edge {
  int above = 0;
  int delay = 0;
};

// For x > 0.
Edge edge_to(int x, int tree, int d) {
  const int bit = 1 << tree;
  if ((x & bit) == 0) return {x ^ bit, d};
  for (int below = 1; below < d; ++below) {
    const int e = modulo(tree - below, d);
    if (x & (1 << e)) return {x ^ (1 << e), d - below};
  }
  return {0, 0};
}

/// An edge of a tree at a rank.
struct OwnEdge {
  int tree = 0;
  int other = 0;
  int delay = 0;
  bool comes = false;  ///< segments come over it
};

// All of them, tree after tree.
std::vector<OwnEdge> edges_of(int x, int d) {
  std::vector<OwnEdge> edges;
  edges.reserve(static_cast<std::size_t>(2 * d));
  for (int tree = 0; tree < d; ++tree) {
    if (x != 0) {
      const Edge edge = edge_to(x, tree, d);
      edges.push_back({tree, edge.above, edge.delay, true});
    }
    for (int e = 0; e < d; ++e) {
      const int below = x ^ (1 << e);
      if (below == 0) continue;
      const Edge edge = edge_to(below, tree, d);
      if (edge.above == x) edges.push_back({tree, below, edge.delay, false});
    }
  }
  return edges;
}

void record_disjoint_trees(Script& me, const Problem& problem) {
  const int d = ceil_log2(me.size());
  const int x = me.rank() ^ problem.root;
  const Blocks parts = Blocks::parts_of(problem.count, me.segments_for(problem.count));
  const auto slice = [&](int s) { return Slice{Buffer::output, parts.first(s), parts.count(s)}; };

  const std::vector<OwnEdge> edges = edges_of(x, d);
  for (int step = 0; step < parts.size() + d; ++step) {
    for (const OwnEdge& edge : edges) {
      const int s = step - edge.delay;
      if (s < 0 || s >= parts.size() || s % d != edge.tree) continue;
      edge.comes ? me.receive(slice(s), edge.other ^ problem.root) : me.send(slice(s), edge.other ^ problem.root);
    }
    me.wait();
  }
}

Claims claims_disjoint_trees(const Problem& problem, const Parameters& parameters) {
  const std::int64_t others = problem.ranks - 1;
  const std::int64_t segments = parameters.segments_for(problem.count);
  const int d = ceil_log2(problem.ranks);
  return {.rounds = d == 0 ? 0 : segments + (d > 1 ? d : 0),
          .messages = others * segments,
          .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_disjoint_trees{
    .collective = Collective::broadcast,
    .name = "disjoint-trees",
    .aliases = {"edge-disjoint-spanning-binomial-trees", "esbt"},
    .summary = "Segments go by turns down log2 p binomial trees of a hypercube that share no edge.",
    .when = "Long messages on hypercubes: all messages go one link, and no two share one.",
    .source = "S. L. Johnsson, C.-T. Ho, Optimum Broadcasting and Personalized Communication in Hypercubes, 1989, §3",
    .needs = {Need::power_of_two_ranks},
    .record = record_disjoint_trees,
    .claims = claims_disjoint_trees,
};

}  // namespace tutti::algorithms
