/// @file
/// Scan and exclusive scan along two trees: sums go up the trees, and prefixes of each rank come down them again.
///
/// Segments take the trees of two_trees.hpp by turns. What is below a node are neighbouring ranks, those of its left
/// child before it and those of its right child behind it. On the way up a node learns what its left child's ranks
/// combine to, and tells what all below it do, if there are ranks behind these; on the way down it is told what comes
/// before all of them, tells that to its left child, and to its right one that with the left child's and its own
/// contribution added. Rank 0 is before all others: nobody tells it anything.
///
///     up          1 --[1]--> 2 --[1-3]--> 4       the tree of segments 0, 2, …, p = 7; [a-b] is what ranks a to b
///                 3 --[3]-->                      combine to
///                 5 --[5]--> 6                behind 5 and 6 is nobody
///     down        0 --[0]--> 4 --[0]----> 2 --[0]----> 1
///                                           --[0-2]--> 3
///                              --[0-4]--> 6 --[0-4]--> 5
///
/// Needs     any p >= 1, any associative operator; S segments: me.segments_for(m).
/// Buffers   `input`, read where it lies; `output`, in which the result arrives, in place or not, of an exclusive scan
///           untouched at rank 0. Scratch: 2 m, and 3 m of an exclusive scan.
/// Traffic   (2 p - 3) S messages, (2 p - 3) m bytes; where p is odd, less by the segments of a tree for each edge from
///           its root to the last rank, because nobody is behind what these would tell.
/// Time      (2 (S + 2 ceil(log2 p) - c) - 1)(ts + tw m/S), c as in broadcast/two_tree.cpp; where p is 3 modulo 4 one
///           round less, or two if S is even, and 1 + floor(S/2) less for p = 3 and S > 1.
/// Optimal   within a factor 2 in bytes and 4 in rounds at once for every p when S is large. In rounds alone see
///           dissemination.cpp and exclusive_123_doubling.cpp, in bytes alone chain_pipelined.cpp.
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009.

#include <algorithm>
#include <string_view>
#include <vector>

#include "algorithms/scan/scan.hpp"
#include "algorithms/two_trees.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

using Edge = TwoTrees::Edge;

/// Number of edges above the rank in a tree, from one that is fed by rank 0 down; and whether any leads to a node's
/// left child.
struct Ascent {
  int edges = 0;
  bool passes_left = false;
};

Ascent ascent(int rank, int ranks, int tree) {
  const TwoTrees trees(ranks);
  Ascent result;
  for (int above = trees.above(tree, rank); above != 0; above = trees.above(tree, rank)) {
    ++result.edges;
    result.passes_left = result.passes_left || rank < above;
    rank = above;
  }
  return result;
}

/// A rank's place in both trees. It has children in one of them at most, but for the rank that feeds both roots.
struct TwoTreePlace {
  int rank;
  std::vector<Edge> above;
  std::vector<Edge> below;

  bool tells[2] = {};  ///< by tree: whether its parent needs what all below it combine to

  // A parent needs that of its left child, and of its right one for what it tells its own parent. So those who are
  // reached from the root by right children alone have nobody to tell.
  TwoTreePlace(int place, int ranks)
      : rank(place), above(TwoTrees(ranks).to(place)), below(TwoTrees(ranks).from(place)) {
    if (rank == 0) return;
    for (const int tree : {0, 1}) tells[tree] = ascent(rank, ranks, tree).passes_left;
  }

  bool is_left(const Edge& child) const { return child.peer < rank; }
  bool has_left(int tree) const { return has(tree, true); }
  bool has_right(int tree) const { return has(tree, false); }
  bool is_inner(int tree) const { return has_left(tree) || has_right(tree); }
  bool has(int tree, bool left) const {
    return std::any_of(below.begin(), below.end(),
                       [&](const Edge& edge) { return edge.tree == tree && is_left(edge) == left; });
  }
  bool is_heard(const Edge& child) const { return is_left(child) || tells[child.tree]; }
  /// On the way up, children that are told late tell early.
  bool tells_last(const Edge& child) const {
    return std::none_of(below.begin(), below.end(), [&](const Edge& other) {
      return other.tree == child.tree && other.first_step < child.first_step;
    });
  }
};

/// A rank's ways up and down. Rank 0 only goes down.
class TwoTreeWalk {
 public:
  TwoTreeWalk(Script& me, const Problem& problem, PrefixEnd end)
      : me_(me),
        through_own_(end == PrefixEnd::through_own),
        parts_(Blocks::parts_of(problem.count, me.segments_for(problem.count))),
        steps_(parts_.size() + 2 * ceil_log2(me.size())),
        place_(me.rank(), me.size()) {}

  void up() {
    for (int step = steps_; step-- > 0;) {
      each_carried(place_.below, step, [&](const Edge& child, int s) {
        if (place_.is_heard(child)) hear(child, s);
      });
      each_carried(place_.above, step, [&](const Edge& edge, int s) {
        if (place_.tells[edge.tree]) me_.send(all_below(edge.tree, s), edge.peer);
      });
      me_.wait();
      each_carried(place_.below, step, [&](const Edge& child, int s) { combine(child, s); });
    }
  }

  void down() {
    for (int step = 0; step < steps_; ++step) {
      each_carried(place_.above, step, [&](const Edge& edge, int s) { be_told(edge, s); });
      each_carried(place_.below, step, [&](const Edge& child, int s) { me_.send(before_child(child, s), child.peer); });
      me_.wait();
      each_carried(place_.above, step, [&](const Edge& edge, int s) {
        if (place_.is_inner(edge.tree)) conclude(edge.tree, s);
      });
    }
  }

 private:
  template <typename See>
  void each_carried(const std::vector<Edge>& edges, int step, const See& see) const {
    for (const Edge& edge : edges) {
      const int since = step - edge.first_step;
      if (since >= 0 && since % 2 == 0 && edge.tree + since < parts_.size()) see(edge, edge.tree + since);
    }
  }

  Slice input(int s) const { return part_of(me_.input(), parts_, s); }
  Slice output(int s) const { return part_of(me_.output(), parts_, s); }
  // Returns the place of the total of the left child and those below it, and then with the own contribution.
  Slice left(int s) const { return scratch(2, s); }
  Slice through(int s) const { return scratch(0, s); }
  // Returns the place of the total of the right child and those below it, and then of all below this rank; on the way
  // down that of the prefix.
  Slice around(int s) const { return scratch(1, s); }
  Slice scratch(int number, int s) const {
    const std::int64_t count = me_.input().count;
    return part_of(me_.scratch(number * count, count), parts_, s);
  }

  void hear(const Edge& child, int s) {
    if (!place_.is_left(child)) {
      me_.receive(around(s), child.peer);
    } else if (through_own_) {
      me_.receive_reduce(through(s), input(s), child.peer, Side::received_first);
    } else {
      me_.receive(left(s), child.peer);
    }
  }

  void combine(const Edge& child, int s) {
    const bool is_told_on = place_.tells[child.tree] || place_.has_right(child.tree);
    if (!through_own_ && place_.is_left(child) && is_told_on) {
      me_.reduce(through(s), left(s), input(s));
      me_.wait();
    }
    if (place_.tells[child.tree] && place_.tells_last(child) && place_.has_right(child.tree)) {
      me_.reduce(around(s), up_to_own(child.tree, s), around(s));
      me_.wait();
    }
  }

  Slice all_below(int tree, int s) const { return place_.has_right(tree) ? around(s) : up_to_own(tree, s); }

  void be_told(const Edge& edge, int s) {
    if (place_.is_inner(edge.tree)) {
      me_.receive(around(s), edge.peer);
    } else if (through_own_) {
      me_.receive_reduce(output(s), input(s), edge.peer, Side::received_first);
    } else {
      me_.receive(output(s), edge.peer);
    }
  }

  Slice up_to_own(int tree, int s) const { return place_.has_left(tree) ? through(s) : input(s); }

  void conclude(int tree, int s) {
    if (!through_own_ && place_.has_right(tree)) {
      me_.reduce(through(s), around(s), up_to_own(tree, s));
      me_.wait();
    }
    if (through_own_) {
      me_.reduce(output(s), around(s), up_to_own(tree, s));
    } else if (place_.has_left(tree)) {
      me_.reduce(output(s), around(s), left(s));
    } else {
      me_.copy(output(s), around(s));
    }
    me_.wait();
  }

  Slice before_child(const Edge& child, int s) const {
    if (me_.rank() == 0) return input(s);
    if (place_.is_left(child)) return around(s);
    return through_own_ ? output(s) : through(s);
  }

  Script& me_;
  bool through_own_;
  Blocks parts_;
  int steps_;
  TwoTreePlace place_;
};

// Records a rank. Takes 2 m elements of scratch if its own contribution enters its result, and 3 m otherwise.
void scan_along_two_trees(Script& me, const Problem& problem, PrefixEnd end) {
  if (me.rank() == 0 && end == PrefixEnd::through_own) me.copy(me.output(), me.input());
  TwoTreeWalk walk(me, problem, end);
  if (me.rank() != 0) walk.up();
  walk.down();
}

// The way up is the way down but for what rank 0 would be told, which is its first step. Where p is 3 modulo 4, the
// child that would be the last to tell the root of tree 0 is its right one, which has nobody to tell, so that the way
// down begins sooner; of three ranks one of the trees has no way up at all. The last rank is at the end of the way by
// right children, on whose edges nothing goes up unless it is above all others.
Claims claims_two_tree(const Problem& problem, const Parameters& parameters) {
  const int p = problem.ranks;
  if (p == 1) return {};
  const int segments = parameters.segments_for(problem.count);
  const std::int64_t least = problem.count / segments;
  const std::int64_t longer = problem.count % segments;
  const int sooner = p == 3 ? (segments > 1 ? 1 + segments / 2 : 0) : p % 4 == 3 ? 2 - segments % 2 : 0;
  Claims claims{.rounds = p == 2 ? segments : 2 * TwoTrees::steps(p, segments) - 1 - sooner};
  for (const int tree : {0, 1}) {
    // Tree 0 has the odd one of the segments, and of those that are one element longer.
    const std::int64_t of_tree = (segments + 1 - tree) / 2;
    const std::int64_t edges = 2 * (p - 1) - 1 - ascent(p - 1, p, tree).edges;
    claims.messages += edges * of_tree;
    claims.elements += edges * (of_tree * least + (longer + 1 - tree) / 2);
  }
  return claims;
}

constexpr std::string_view summary_of_two_tree =
    "Segments go by turns up and down two binary trees, in one of which each rank is a leaf.";
constexpr std::string_view when_of_two_tree =
    "Long messages over many ranks, any number of them: few rounds, and each rank receives the message about twice.";
constexpr std::string_view source_of_two_tree =
    "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009";

}  // namespace

const Algorithm scan_two_tree{
    .collective = Collective::scan,
    .name = "two-tree",
    .aliases = {"double-binary-tree"},
    .summary = summary_of_two_tree,
    .when = when_of_two_tree,
    .source = source_of_two_tree,
    .for_several_nodes = true,
    .record = [](Script& me, const Problem& problem) { scan_along_two_trees(me, problem, PrefixEnd::through_own); },
    .claims = claims_two_tree,
};

const Algorithm exclusive_scan_two_tree{
    .collective = Collective::exclusive_scan,
    .name = "two-tree",
    .aliases = {"double-binary-tree"},
    .summary = summary_of_two_tree,
    .when = when_of_two_tree,
    .source = source_of_two_tree,
    .for_several_nodes = true,
    .record = [](Script& me, const Problem& problem) { scan_along_two_trees(me, problem, PrefixEnd::before_own); },
    .claims = claims_two_tree,
};

}  // namespace tutti::algorithms
