/// @file
/// Edges of trees as ranks see them, and the messages that cross them: what schedules over trees are recorded with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "schedule/model/problem_blocks.hpp"
#include "schedule/model/schedule.hpp"
#include "synthesize/trees/forest.hpp"

namespace tutti::synthesize {

/// The lane of the tree with that number in its forest. Trees of one lane share messages: where the collective has a
/// root, each tree has a lane of its own; elsewhere all trees are of lane 0. O(1).
inline int lane_of(std::size_t tree, const Problem& problem) {
  return has_root(problem.collective) ? static_cast<int>(tree) : 0;
}

/// An edge of a tree at one of its ends.
struct End {
  int peer = 0;
  int lane = 0;  // edges of one lane share messages
  int depth = 1;
  int root = 0;
  std::int64_t begin = 0;  // the parts of the root that the tree carries: [begin, end) of `each`
  std::int64_t end = 0;
};

/// A rank's part in the trees: its ends of their edges, towards the leaves and towards the roots.
struct RankEdges {
  std::vector<End> below;
  std::vector<End> above;
};

inline std::vector<RankEdges> places_of(const Forest& forest, const Problem& problem) {
  std::vector<RankEdges> places(static_cast<std::size_t>(problem.ranks));
  std::vector<std::int64_t> carried(places.size());
  for (std::size_t k = 0; k < forest.trees.size(); ++k) {
    const Tree& tree = forest.trees[k];
    const int lane = lane_of(k, problem);
    std::int64_t& begin = carried[static_cast<std::size_t>(tree.root)];
    for (const TreeEdge& edge : tree.edges) {
      const End end{edge.to, lane, edge.depth, tree.root, begin, begin + tree.parts};
      places[static_cast<std::size_t>(edge.from)].below.push_back(end);
      places[static_cast<std::size_t>(edge.to)].above.push_back(end);
      places[static_cast<std::size_t>(edge.to)].above.back().peer = edge.from;
    }
    begin += tree.parts;
  }
  return places;
}

/// Places of the trees' data in the whole message, or in all blocks one behind the other.
class Pieces {
 public:
  Pieces(const Problem& problem, std::int64_t each, std::int64_t chunks)
      : blocks_(has_root(problem.collective) ? Blocks::sized(whole_at_root(problem)) : all_blocks(problem)),
        each_(each),
        chunks_(chunks) {}

  /// Chunk `chunk` of what the edge's tree carries, as a place in the whole.
  Slice piece(const End& end, std::int64_t chunk) const {
    const std::int64_t block = blocks_.count(end.root);
    const std::int64_t first = part(block, end.begin, each_);
    const std::int64_t count = part(block, end.end, each_) - first;
    const std::int64_t skipped = part(count, chunk, chunks_);
    return {Buffer::output, blocks_.first(end.root) + first + skipped, part(count, chunk + 1, chunks_) - skipped};
  }
  std::int64_t first(int rank) const { return blocks_.first(rank); }
  std::int64_t end(int rank) const { return blocks_.first(rank + 1); }

 private:
  static std::vector<std::int64_t> whole_at_root(const Problem& problem) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(problem.ranks));
    counts[static_cast<std::size_t>(problem.root)] = problem.count;
    return counts;
  }

  // Returns the end of the first `number` of `of` parts of so many elements; elements and parts both may be many.
  static std::int64_t part(std::int64_t elements, std::int64_t number, std::int64_t of) {
    return elements / of * number + elements % of * number / of;
  }

  Blocks blocks_;
  std::int64_t each_;
  std::int64_t chunks_;
};

/// The rank at the other end of a message, and the message's lane.
struct Other {
  int peer = 0;
  int lane = 0;
  auto operator<=>(const Other&) const = default;
};

/// The messages that cross the edges in a round, by `chunk_at`: which chunk crosses an edge, if it is one of [0,
/// chunks). `where` says where a piece lies. Edges are in the same order at both ends.
template <typename Where, typename ChunkAt>
std::map<Other, Message> messages_of(const std::vector<End>& ends, const Pieces& pieces, std::int64_t chunks,
                                     const Where& where, const ChunkAt& chunk_at) {
  std::map<Other, Message> found;
  for (const End& end : ends) {
    const std::int64_t chunk = chunk_at(end);
    if (chunk < 0 || chunk >= chunks) continue;
    const Slice piece = pieces.piece(end, chunk);
    if (piece.count > 0) found[{end.peer, end.lane}].push_back(where(piece));
  }
  return found;
}

}  // namespace tutti::synthesize
