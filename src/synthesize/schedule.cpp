#include "synthesize/schedule.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/check.hpp"
#include "schedule/record/append.hpp"
#include "schedule/record/most_recorded.hpp"
#include "schedule/record/script.hpp"
#include "synthesize/edges_at_ranks.hpp"

namespace tutti::synthesize {
namespace {

/// Recording of trees by one rank.
class TreeWalk {
 public:
  TreeWalk(Script& me, const RankEdges& place, const Pieces& pieces, std::int64_t chunks, int depth)
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

  template <typename Where>
  std::map<Other, Message> messages(const std::vector<End>& ends, std::int64_t round, const Where& where) const {
    return messages_of(ends, pieces_, chunks_, where, [round](const End& end) { return round - (end.depth - 1); });
  }

  Script& me_;
  const RankEdges& place_;
  const Pieces& pieces_;
  std::int64_t chunks_;
  int depth_;
};

Slice in(Buffer buffer, const Slice& piece, std::int64_t skipped = 0) {
  return {buffer, piece.first - skipped, piece.count};
}

/// Recorder of one rank for the problem.
class TreeRecorder {
 public:
  TreeRecorder(const Trees& trees, const Problem& problem, std::int64_t chunks)
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
    const RankEdges& place = up_[static_cast<std::size_t>(me.rank())];
    const bool everywhere = problem.collective == Collective::all_reduce;
    const auto own = [&](const Slice& piece) { return in(me.input().buffer, piece); };
    const auto sum = [&](const Slice& piece) {
      if (everywhere) return in(Buffer::output, piece);
      if (is_own(me, pieces_up_, piece)) return in(Buffer::output, piece, pieces_up_.first(me.rank()));
      return me.scratch(piece.first, piece.count);
    };
    TreeWalk(me, place, pieces_up_, chunks_, trees_.up.depth()).up(own, sum);
  }

  void down(Script& me, const Problem& problem) const {
    const RankEdges& place = down_[static_cast<std::size_t>(me.rank())];
    const bool gathers = problem.collective == Collective::all_gather;
    const auto to = [](const Slice& piece) { return in(Buffer::output, piece); };
    const auto from = [&](const Slice& piece) {
      return gathers && is_own(me, pieces_down_, piece) ? in(Buffer::input, piece, pieces_down_.first(me.rank()))
                                                        : to(piece);
    };
    TreeWalk(me, place, pieces_down_, chunks_, trees_.down.depth()).down(from, to);
  }

  const Trees& trees_;
  std::int64_t chunks_;
  std::vector<RankEdges> up_;
  std::vector<RankEdges> down_;
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

Schedule schedule_over(const Trees& trees, const Problem& problem, std::int64_t chunks) {
  check(problem);
  check_chunks(trees, problem, chunks);
  return record_all(TreeRecorder(trees, problem, chunks), problem);
}

}  // namespace tutti::synthesize
