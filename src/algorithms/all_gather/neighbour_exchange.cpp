/// @file
/// All-gather by exchanges between neighbours: half the rounds of the ring.
///
/// Ranks form pairs (0 1) (2 3) … In the first round the two of a pair swap blocks. From then on each rank turns to its
/// left and right neighbour by turns and swaps the two blocks that it received last, which are a pair's.
///
///     round 1:  0 = 1   2 = 3   4 = 5          p = 6
///     round 2:  5 = 0   1 = 2   3 = 4          each sends its own pair
///     round 3:  0 = 1   2 = 3   4 = 5          each sends the pair that it received in round 2
///
/// Needs     an even p (or p = 1); any block sizes. No source is known that halves the rounds of an odd ring: its ranks
///           cannot all be in pairs, so that each round leaves one out, whose turn the blocks on their way would have
///           to wait for. The source takes even p alone; see ring_bidirectional.cpp for odd p.
/// Buffers   `input`, one block; `output`, p blocks. No scratch.
/// Traffic   p^2 / 2 messages; every block p - 1 times, always to a neighbour.
/// Time      (p/2) ts + (p - 1) m tw.
/// Optimal   in bytes.
/// Source    J. Chen, L. Zhang, Y. Zhang, W. Yuan, Performance Evaluation of Allgather Algorithms on Terascale Linux
///           Cluster with Fast Ethernet, HPC Asia, 2005.

#include "algorithms/all_gather/all_gather.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(me.rank()), me.input());
  if (p == 1) return me.wait();

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

Claims claims(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  return {.rounds = p / 2, .messages = p / 2 * p, .elements = (p - 1) * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_neighbour_exchange{
    .collective = Collective::all_gather,
    .name = "neighbour-exchange",
    .aliases = {"neighbor-exchange"},
    .summary = "Neighbours swap pairs of blocks, left and right by turns.",
    .when =
        "Middle and long blocks on rings of an even number of ranks: half the ring's messages. An odd ring's ranks do "
        "not form pairs.",
    .source =
        "J. Chen, L. Zhang, Y. Zhang, W. Yuan, Performance Evaluation of Allgather Algorithms on Terascale Linux "
        "Cluster with Fast Ethernet, 2005",
    .needs = {Need::even_ranks},
    .record = record,
    .claims = claims,
};

}  // namespace tutti::algorithms
