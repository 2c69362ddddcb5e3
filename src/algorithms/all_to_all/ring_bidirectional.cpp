/// @file
/// All-to-all on a ring, each block the short way round.
///
/// Blocks travel as in ring.cpp, but a rank's blocks for the floor(p/2) ranks after it travel upwards, the others
/// downwards: first all those upwards, in floor(p/2) steps, then all those downwards, in floor((p - 1)/2) steps. One
/// send at a time.
/// {x,y} is the block from x to y, only rank 0's are shown:
///
///     step 1    0 --{0,1} {0,2}--> 1        p = 4
///     step 2    1 --{0,2}--> 2
///     step 3    0 --{0,3}--> 3
///
/// Needs     any p >= 1, any counts.
/// Buffers   blocks go from `input` to `output`, on their way through scratch for at most (p - 3) m bytes; the own one
///           is copied.
/// Traffic   p (p - 1) messages, p floor(p²/4) m bytes.
/// Time      ts (p - 1) + m tw floor(p²/4), also store-and-forward on a ring: all messages go one link.
/// Optimal   in bytes on a ring: every block goes the fewest links. Both directions at once would halve the time of
///           two-port ranks.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.1.

#include <algorithm>

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/all_to_all/one_way.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_ring_bidirectional(Script& me, const Problem& problem) {
  const int p = me.size();
  me.copy(me.output(me.rank()), me.input(me.rank()));
  pass_blocks(me, problem, Direction::upwards, p / 2);
  pass_blocks(me, problem, Direction::downwards, (p - 1) / 2);
}

Claims claims_ring_bidirectional(const Problem& problem) {
  const int p = problem.ranks;
  const auto links = [p](int origin, int destination) {
    const int upwards = modulo(destination - origin, p);
    return std::min(upwards, p - upwards);
  };
  return {.rounds = p - 1, .messages = std::int64_t{p} * (p - 1), .elements = elements_carried(problem, links)};
}

}  // namespace

const Algorithm all_to_all_ring_bidirectional{
    .collective = Collective::all_to_all,
    .name = "ring-bidirectional",
    .summary = "Blocks are forwarded from neighbour to neighbour, each the short way round the ring.",
    .when = "On a ring whose links carry messages both ways.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.1",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_ring_bidirectional,
    .claims = claims_ring_bidirectional,
};

}  // namespace tutti::algorithms
