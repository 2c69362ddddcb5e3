/// @file
/// All-gather by exchanges between neighbours: about half the rounds of the ring.
///
/// Ranks form pairs (0 1) (2 3) … In the first round the two of a pair swap blocks. From then on each rank turns to its
/// left and right neighbour by turns and swaps the two blocks that it received last, which are a pair's.
///
///     round 1:  0 = 1   2 = 3   4 = 5          p = 6
///     round 2:  5 = 0   1 = 2   3 = 4          each sends its own pair
///     round 3:  0 = 1   2 = 3   4 = 5          each sends the pair that it received in round 2
///
/// An odd ring's ranks cannot all be in pairs: in round t, from 0, rank t is left out. The others pair off from rank
/// t + 1 on, so that a rank that was left out has lost its turn to the left and one to the right. What waits for it
/// there comes with the next pair's block, and in a last round to a single rank:
///
///     round 0:  1 = 2   3 = 4                  p = 5
///     round 1:  2 = 3   4 = 0                  2 to 4 receive two blocks, the last of which goes round to 0
///     round 2:  3 = 4   0 = 1                  1 is told three, of which two are 4's and its pair's
///     round 3:  1 --> 2
///
/// Needs     any p >= 1, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks. No scratch.
/// Traffic   p^2 / 2 messages, for odd p (p^2 + 1) / 2; every block p - 1 times, always to a neighbour.
/// Time      (p/2) ts + (p - 1) m tw; for odd p > 1 ((p + 3)/2) ts + ((3 p - 1)/2) m tw at most.
/// Optimal   in bytes for each rank. Ranks that hear from one neighbour in a round need (p + 1)/2 rounds at least where
///           p is odd.
/// Source    J. Chen, L. Zhang, Y. Zhang, W. Yuan, Performance Evaluation of Allgather Algorithms on Terascale Linux
///           Cluster with Fast Ethernet, HPC Asia, 2005, for even p; the odd rings are tutti's own.

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void exchange_in_pairs(Script& me) {
  const int p = me.size();
  // Even ranks look right first, odd ranks left; the next pair on either side is one further away every second round.
  const int first = me.rank() % 2 == 0 ? 1 : -1;
  const int own_pair = me.rank() / 2;
  const auto pair = [&](int offset) { return me.blocks(Buffer::output, 2 * modulo(own_pair + offset, p / 2), 2); };

  const int partner = modulo(me.rank() + first, p);
  me.send(me.input(), partner);
  me.receive(me.output(partner), partner);
  me.wait();
  int last = 0;
  for (int round = 1; round < p / 2; ++round) {
    const int side = round % 2 == 1 ? -first : first;
    const int neighbour = modulo(me.rank() + side, p);
    const int next = side * ((round + 1) / 2);
    me.send(pair(last), neighbour);
    me.receive(pair(next), neighbour);
    me.wait();
    last = next;
  }
}

constexpr int odd_rounds(int p) { return (p + 3) / 2; }

/// The blocks that a rank of an odd ring has: its own, and so many to the left and to the right of it.
class Window {
 public:
  Window(int rank, int ranks) : rank_(modulo(rank, ranks)), ranks_(ranks) {}

  /// Returns the side of the rank's partner in a round: 1 for right, -1 for left, 0 if it is left out.
  int side(int round) const {
    const int behind = modulo(rank_ - round, ranks_);
    return behind == 0 ? 0 : behind % 2 == 1 ? 1 : -1;
  }

  /// The blocks that it receives: two, but for those that wait for the rank that is left out.
  Message comes(const Script& me, int round) const {
    Message message;
    const int number = gain(round);
    const int first = side(round) > 0 ? rank_ + right_ + 1 : rank_ - left_ - number;
    for (int k = 0; k < number; ++k) message.push_back(me.output(modulo(first + k, ranks_)));
    return message;
  }

  void after(int round) { (side(round) > 0 ? right_ : left_) += gain(round); }

 private:
  int gain(int round) const {
    if (side(round) == 0) return 0;
    const bool was_left_out = rank_ == round - 1;
    if (round + 1 == odd_rounds(ranks_)) return was_left_out ? 1 : 0;
    if (round == 0 || rank_ == ranks_ - round) return 1;
    return was_left_out && round > 1 ? 3 : 2;
  }

  int rank_;
  int ranks_;
  int left_ = 0;
  int right_ = 0;
};

void exchange_in_odd_ring(Script& me) {
  const int p = me.size();
  Window mine(me.rank(), p);
  Window at_left(me.rank() - 1, p);
  Window at_right(me.rank() + 1, p);
  for (int round = 0; round < odd_rounds(p); ++round) {
    if (const int side = mine.side(round); side != 0) {
      const int neighbour = modulo(me.rank() + side, p);
      const Message told = round == 0 ? Message{me.input()} : (side > 0 ? at_right : at_left).comes(me, round);
      const Message heard = mine.comes(me, round);
      if (!told.empty()) me.send(told, neighbour);
      if (!heard.empty()) me.receive(heard, neighbour);
    }
    me.wait();
    for (Window* window : {&mine, &at_left, &at_right}) window->after(round);
  }
}

void record_neighbour_exchange(Script& me, const Problem&) {
  me.copy(me.output(me.rank()), me.input());
  if (me.size() == 1) return me.wait();
  if (me.size() % 2 == 0) return exchange_in_pairs(me);
  exchange_in_odd_ring(me);
}

// In the last round of an odd ring one rank sends.
Claims claims_neighbour_exchange(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  if (p == 1) return {};
  return {.rounds = p % 2 == 0 ? p / 2 : odd_rounds(problem.ranks),
          .messages = p % 2 == 0 ? p / 2 * p : (p * p + 1) / 2,
          .elements = (p - 1) * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_neighbour_exchange{
    .collective = Collective::all_gather,
    .name = "neighbour-exchange",
    .aliases = {"neighbor-exchange"},
    .summary = "Neighbours swap pairs of blocks, left and right by turns.",
    .when =
        "Middle and long blocks on rings: half the ring's messages. An odd ring takes up to two rounds more, and "
        "leaves "
        "another rank out in each.",
    .source =
        "J. Chen, L. Zhang, Y. Zhang, W. Yuan, Performance Evaluation of Allgather Algorithms on Terascale Linux "
        "Cluster with Fast Ethernet, 2005 (even numbers of ranks)",
    .symmetry = RankSymmetry::Kind::reflection,
    .record = record_neighbour_exchange,
    .claims = claims_neighbour_exchange,
};

}  // namespace tutti::algorithms
