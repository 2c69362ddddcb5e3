#include "synthesize/schedule.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/check.hpp"
#include "schedule/append.hpp"
#include "schedule/most_recorded.hpp"
#include "schedule/script.hpp"

namespace tutti::synthesize {
namespace {

/// An edge of a tree at one of its ends.
struct End {
  int peer = 0;
  int lane = 0;  // edges of one lane share messages
  int depth = 1;
  int root = 0;
  std::int64_t begin = 0;  // the parts of the root that the tree carries: [begin, end) of `each`
  std::int64_t end = 0;
};

/// What a rank has to do with the trees: its ends of their edges, towards the leaves and towards the roots.
struct Place {
  std::vector<End> below;
  std::vector<End> above;
};

std::vector<Place> places_of(const Forest& forest, const Problem& problem) {
  std::vector<Place> places(static_cast<std::size_t>(problem.ranks));
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

/// Where the trees' data lies in the whole message, or in all blocks one behind the other.
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

  // Where the first `number` of `of` parts of so many elements end; elements and parts both may be many.
  static std::int64_t part(std::int64_t elements, std::int64_t number, std::int64_t of) {
    return elements / of * number + elements % of * number / of;
  }

  Blocks blocks_;
  std::int64_t each_;
  std::int64_t chunks_;
};

/// What one rank records of trees.
class Walk {
 public:
  Walk(Script& me, const Place& place, const Pieces& pieces, std::int64_t chunks, int depth)
      : me_(me), place_(place), pieces_(pieces), chunks_(chunks), depth_(depth) {}

  /// Down: what is sent lies where `from` says, and what comes in where `to` does.
  template <typename From, typename To>
  void down(const From& from, const To& to) {
    for (std::int64_t round = 0; round < rounds(); ++round) {
      for (const auto& [below, message] : messages(place_.below, round, from)) me_.send(message, below.peer);
      for (const auto& [above, message] : messages(place_.above, round, to)) me_.receive(message, above.peer);
      me_.wait();
    }
  }

  /// Up: what a rank has of its own lies where `own` says, and sums grow where `sum` does.
  template <typename Own, typename Sum>
  void up(const Own& own, const Sum& sum) {
    std::set<std::int64_t> summed;  // the beginnings of pieces that a sum was begun of
    const auto held = [&](const Slice& piece) { return summed.contains(piece.first) ? sum(piece) : own(piece); };
    const auto itself = [](const Slice& piece) { return piece; };
    for (std::int64_t back = rounds(); back-- > 0;) {
      for (const auto& [above, message] : messages(place_.above, back, held)) me_.send(message, above.peer);
      me_.chain([&] {
        for (const auto& [below, pieces] : messages(place_.below, back, itself)) {
          Message into;
          Message mine;
          for (const Slice& piece : pieces) {
            append(into, 0, sum(piece));
            append(mine, 0, held(piece));
            summed.insert(piece.first);
          }
          me_.receive_reduce(into, mine, below.peer);
        }
      });
      me_.wait();
    }
  }

 private:
  std::int64_t rounds() const { return chunks_ + depth_ - 1; }

  /// Who is at the other end of a message, and of which lane it is.
  struct Other {
    int peer = 0;
    int lane = 0;
    auto operator<=>(const Other&) const = default;
  };

  // What crosses these edges in a round; edges in the same order at both ends.
  template <typename Where>
  std::map<Other, Message> messages(const std::vector<End>& ends, std::int64_t round, const Where& where) const {
    std::map<Other, Message> found;
    for (const End& end : ends) {
      const std::int64_t chunk = round - (end.depth - 1);
      if (chunk < 0 || chunk >= chunks_) continue;
      const Slice piece = pieces_.piece(end, chunk);
      if (piece.count > 0) found[{end.peer, end.lane}].push_back(where(piece));
    }
    return found;
  }

  Script& me_;
  const Place& place_;
  const Pieces& pieces_;
  std::int64_t chunks_;
  int depth_;
};

Slice in(Buffer buffer, const Slice& piece, std::int64_t skipped = 0) {
  return {buffer, piece.first - skipped, piece.count};
}

/// What one rank does for the problem.
class Recorder {
 public:
  Recorder(const Trees& trees, const Problem& problem, std::int64_t chunks)
      : trees_(trees),
        chunks_(chunks),
        up_(places_of(trees.up, problem)),
        down_(places_of(trees.down, problem)),
        pieces_up_(problem, trees.up.each, chunks),
        pieces_down_(problem, trees.down.each, chunks) {}

  void operator()(Script& me, const Problem& problem) const {
    if (problem.ranks == 1 && problem.collective != Collective::broadcast) return me.copy(me.output(), me.input());
    if (problem.collective == Collective::all_gather) me.copy(me.output(me.rank()), me.input());
    if (reduces(problem.collective)) up(me, problem);
    if (!reduces(problem.collective) || problem.collective == Collective::all_reduce) down(me, problem);
  }

 private:
  // A rank's own block is sent from where it lies, and its own result grows where it belongs.
  bool is_own(const Script& me, const Pieces& pieces, const Slice& piece) const {
    return piece.first >= pieces.first(me.rank()) && piece.first < pieces.end(me.rank());
  }

  void up(Script& me, const Problem& problem) const {
    const Place& place = up_[static_cast<std::size_t>(me.rank())];
    const bool everywhere = problem.collective == Collective::all_reduce;
    const auto own = [&](const Slice& piece) { return in(me.input().buffer, piece); };
    const auto sum = [&](const Slice& piece) {
      if (everywhere) return in(Buffer::output, piece);
      if (is_own(me, pieces_up_, piece)) return in(Buffer::output, piece, pieces_up_.first(me.rank()));
      return me.scratch(piece.first, piece.count);
    };
    Walk(me, place, pieces_up_, chunks_, trees_.up.depth()).up(own, sum);
  }

  void down(Script& me, const Problem& problem) const {
    const Place& place = down_[static_cast<std::size_t>(me.rank())];
    const bool gathers = problem.collective == Collective::all_gather;
    const auto to = [](const Slice& piece) { return in(Buffer::output, piece); };
    const auto from = [&](const Slice& piece) {
      return gathers && is_own(me, pieces_down_, piece) ? in(Buffer::input, piece, pieces_down_.first(me.rank()))
                                                        : to(piece);
    };
    Walk(me, place, pieces_down_, chunks_, trees_.down.depth()).down(from, to);
  }

  const Trees& trees_;
  std::int64_t chunks_;
  std::vector<Place> up_;
  std::vector<Place> down_;
  Pieces pieces_up_;
  Pieces pieces_down_;
};

// Pieces without elements are not sent, so that no edge has more messages than a block has elements.
void check_chunks(const Trees& trees, const Problem& problem, std::int64_t chunks) {
  std::int64_t edges = 0;
  for (const Forest* forest : {&trees.up, &trees.down}) {
    for (const Tree& tree : forest->trees) edges += static_cast<std::int64_t>(tree.edges.size());
  }
  std::int64_t elements = problem.count;
  for (const std::int64_t count : problem.counts) elements = std::max(elements, count);
  const std::int64_t most = most_recorded / std::max<std::int64_t>(edges, 1);
  if (std::min(chunks, elements) <= most) return;
  fail(ErrorCode::unsupported,
       "{} chunks over {} edges of trees are more than the {} messages that a schedule holds; take at most {} chunks",
       chunks, edges, most_recorded, most);
}

}  // namespace

int lane_of(std::size_t tree, const Problem& problem) {
  return has_root(problem.collective) ? static_cast<int>(tree) : 0;
}

Schedule schedule_over(const Trees& trees, const Problem& problem, std::int64_t chunks) {
  check(problem);
  check_chunks(trees, problem, chunks);
  return record_all(Recorder(trees, problem, chunks), problem);
}

}  // namespace tutti::synthesize
