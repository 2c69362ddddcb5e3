#include "synthesize/overlapped.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.hpp"
#include "schedule/record/append.hpp"
#include "schedule/record/most_recorded.hpp"
#include "schedule/record/script.hpp"
#include "synthesize/edges_at_ranks.hpp"

namespace tutti::synthesize {
namespace {

// Shares are of the whole message, whatever their roots: here they are all rank 0's, one behind the other.
Forest as_of_one_root(Forest forest) {
  for (Tree& tree : forest.trees) tree.root = 0;
  return forest;
}

Problem as_of_one_root(const Problem& problem) {
  return {.collective = Collective::broadcast, .ranks = problem.ranks, .count = problem.count};
}

class OverlappedRecorder {
 public:
  OverlappedRecorder(const Trees& trees, const Problem& problem, std::int64_t chunks)
      : chunks_(chunks),
        up_depth_(trees.up.depth()),
        rounds_(chunks + up_depth_ + trees.down.depth() - 1),
        up_(places_of(as_of_one_root(trees.up), as_of_one_root(problem))),
        down_(places_of(as_of_one_root(trees.down), as_of_one_root(problem))),
        pieces_(as_of_one_root(problem), trees.up.each, chunks) {}

  void operator()(Script& me, const Problem&) const {
    std::set<std::int64_t> summed;  // the beginnings of pieces that a sum was begun of
    for (std::int64_t round = 0; round < rounds_; ++round) {
      send(me, round, summed);
      receive(me, round, summed);
      me.wait();
    }
  }

 private:
  // A chunk is at the root when it has come up all edges, and goes down from the next round on.
  auto chunk_up(std::int64_t round) const {
    return [this, round](const End& end) { return round - (up_depth_ - end.depth); };
  }
  auto chunk_down(std::int64_t round) const {
    return [this, round](const End& end) { return round - up_depth_ - (end.depth - 1); };
  }

  static Slice held(const Script& me, const Slice& piece, const std::set<std::int64_t>& summed) {
    return {summed.contains(piece.first) ? Buffer::output : me.input().buffer, piece.first, piece.count};
  }

  void send(Script& me, std::int64_t round, const std::set<std::int64_t>& summed) const {
    const auto rank = static_cast<std::size_t>(me.rank());
    const auto own = [&](const Slice& piece) { return held(me, piece, summed); };
    const auto result = [](const Slice& piece) { return piece; };
    for (const auto& [above, message] : messages_of(up_[rank].above, pieces_, chunks_, own, chunk_up(round)))
      me.send(message, above.peer);
    for (const auto& [below, message] : messages_of(down_[rank].below, pieces_, chunks_, result, chunk_down(round)))
      me.send(message, below.peer);
  }

  void receive(Script& me, std::int64_t round, std::set<std::int64_t>& summed) const {
    const auto rank = static_cast<std::size_t>(me.rank());
    const auto itself = [](const Slice& piece) { return piece; };
    me.chain([&] {
      for (const auto& [below, pieces] : messages_of(up_[rank].below, pieces_, chunks_, itself, chunk_up(round))) {
        Message mine;
        for (const Slice& piece : pieces) {
          append(mine, 0, held(me, piece, summed));
          summed.insert(piece.first);
        }
        me.receive_reduce(pieces, mine, below.peer);
      }
    });
    for (const auto& [above, pieces] : messages_of(down_[rank].above, pieces_, chunks_, itself, chunk_down(round)))
      me.receive(pieces, above.peer);
  }

  std::int64_t chunks_;
  int up_depth_;
  std::int64_t rounds_;
  std::vector<RankEdges> up_;
  std::vector<RankEdges> down_;
  Pieces pieces_;
};

std::int64_t edges_of(const Trees& trees) {
  std::int64_t edges = 0;
  for (const Forest* forest : {&trees.up, &trees.down}) {
    for (const Tree& tree : forest->trees) edges += static_cast<std::int64_t>(tree.edges.size());
  }
  return edges;
}

}  // namespace

Schedule overlapped_schedule_over(const Trees& trees, const Problem& problem, std::int64_t chunks) {
  check(problem);
  require(
      problem.collective == Collective::all_reduce && problem.commutative && problem.ranks > 1,
      "trees up and down at once are for all-reduces of 2 ranks at least, with operators that commute; this is a {}",
      describe(problem));
  const std::int64_t most = most_recorded / std::max<std::int64_t>(edges_of(trees), 1);
  if (std::min(chunks, problem.count) > most)
    fail(ErrorCode::unsupported,
         "{} chunks over {} edges of trees are more than the {} messages that a schedule holds; take at most {} chunks",
         chunks, edges_of(trees), most_recorded, most);
  return record_all(OverlappedRecorder(trees, problem, std::min(chunks, std::max<std::int64_t>(problem.count, 1))),
                    problem);
}

std::int64_t best_overlapped_chunks(const Synthesis& synthesis, std::int64_t bytes, const Machine& machine) {
  // Simulations of more take long, and what further chunks gain is little.
  constexpr std::int64_t most_messages = 128 * 1024;
  const auto& [up, down] = synthesis.trees;
  const std::int64_t most =
      std::min(bytes / up.each, most_messages / std::max<std::int64_t>(edges_of(synthesis.trees), 1));
  const double waited = synthesis.achieved * static_cast<double>(bytes) * (up.depth() + down.depth() - 1);
  const double best = machine.ts > 0 ? std::sqrt(waited / machine.ts) : 1e9;
  return std::clamp<std::int64_t>(std::llround(std::min(best, 1e9)), 1, std::max<std::int64_t>(most, 1));
}

}  // namespace tutti::synthesize
