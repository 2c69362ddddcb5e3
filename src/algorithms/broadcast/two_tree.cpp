/// @file
/// Broadcast along two trees at once: segments go down them by turns.
///
/// A binary tree alone leaves half of the ranks, its leaves, with nothing to send. Here those are inner nodes of the
/// other tree, so that every rank receives a segment in each step and sends one, but for the steps in which the trees
/// fill and drain.
///
///     tree of segments 0, 2, …            tree of segments 1, 3, …        p = 7, ranks numbered from the root
///           0 --> 4 --> 2 --> 1                 0 --> 3 --> 5 --> 6
///                   --> 6 --> 5                         --> 1 --> 2
///                 2 --> 3                             5 --> 4
///
/// Needs     any p >= 1, any root; S segments: me.segments_for(m).
/// Buffers   `message`, received and sent in S parts; no scratch.
/// Traffic   (p - 1) S messages, (p - 1) m bytes.
/// Time      (S + 2 ceil(log2 p) - c)(ts + tw m/S), c = 1, 3, 2, 2 for p = 0, 1, 2, 3 mod 4.
/// Optimal   in bytes when S is large; in rounds not: see n_block.cpp. What is below a rank are its neighbours, so that
///           the dual keeps the order of ranks.
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009, §3.

#include <vector>

#include "algorithms/table.hpp"
#include "algorithms/two_trees.hpp"
#include "base/integers.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::algorithms {
namespace {

void record_two_tree(Script& me, const Problem& problem) {
  const int p = me.size();
  const int v = modulo(me.rank() - problem.root, p);
  const Blocks parts = Blocks::parts_of(problem.count, me.segments_for(problem.count));
  const TwoTrees trees(p);
  const std::vector<TwoTrees::Edge> in = trees.to(v);
  const std::vector<TwoTrees::Edge> out = trees.from(v);

  // The segment that the edge carries in a step; past the last where there is none.
  const auto carried = [&](const TwoTrees::Edge& edge, int step) {
    const int since = step - edge.first_step;
    return since >= 0 && since % 2 == 0 ? edge.tree + since : parts.size();
  };
  const auto slice = [&](int s) { return Slice{Buffer::output, parts.first(s), parts.count(s)}; };
  const auto rank_of = [&](const TwoTrees::Edge& edge) { return (edge.peer + problem.root) % p; };

  const int steps = parts.size() + 2 * ceil_log2(p);
  for (int step = 0; step < steps; ++step) {
    for (const TwoTrees::Edge& edge : in) {
      if (const int s = carried(edge, step); s < parts.size()) me.receive(slice(s), rank_of(edge));
    }
    for (const TwoTrees::Edge& edge : out) {
      if (const int s = carried(edge, step); s < parts.size()) me.send(slice(s), rank_of(edge));
    }
    me.wait();
  }
}

Claims claims_two_tree(const Problem& problem, const Parameters& parameters) {
  const std::int64_t others = problem.ranks - 1;
  const int segments = parameters.segments_for(problem.count);
  return {.rounds = TwoTrees::steps(problem.ranks, segments),
          .messages = others * segments,
          .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_two_tree{
    .collective = Collective::broadcast,
    .name = "two-tree",
    .aliases = {"double-binary-tree"},
    .summary = "Segments go by turns down two binary trees, in one of which each rank is a leaf.",
    .when = "Long messages over many ranks; the reversal keeps rank order.",
    .source =
        "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and "
        "scan, 2009",
    .record = record_two_tree,
    .claims = claims_two_tree,
};

}  // namespace tutti::algorithms
