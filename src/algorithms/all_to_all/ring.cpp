/// @file
/// All-to-all on a ring, all blocks in one direction.
///
/// Every rank sends all its blocks for others as one message to the next rank, which takes out the block for itself and
/// forwards the rest; and so on. {x,y} is the block from x to y:
///
///     step 1    0 --{0,1} {0,2} {0,3}--> 1    1 --{1,2} {1,3} {1,0}--> 2    2 --{2,3} {2,0} {2,1}--> 3    3 --> 0
///     step 2    1 --{0,2} {0,3}--> 2          2 --{1,3} {1,0}--> 3          3 --{2,0} {2,1}--> 0          0 --> 1
///     step 3    2 --{0,3}--> 3                3 --{1,0}--> 0                0 --{2,1}--> 1                1 --> 2
///
/// Needs     any p >= 1, any counts.
/// Buffers   blocks go from `input` to `output`, on their way through scratch for at most (2p - 5) m bytes; the own one
///           is copied.
/// Traffic   p (p - 1) messages, p p (p - 1)/2 m bytes: step k moves p - k blocks a rank.
/// Time      (p - 1)(ts + m tw p/2), also store-and-forward on a ring: all messages go one link.
/// Optimal   on a one-way ring, all of whose links are always in use; see ring_bidirectional.cpp for half the bytes.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.1.

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/all_to_all/one_way.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_ring(Script& me, const Problem& problem) {
  me.copy(me.output(me.rank()), me.input(me.rank()));
  pass_blocks(me, problem, Direction::upwards, me.size() - 1);
}

Claims claims_ring(const Problem& problem) {
  const int p = problem.ranks;
  return {.rounds = p - 1,
          .messages = std::int64_t{p} * (p - 1),
          .elements = elements_carried(problem, [p](int origin, int to) { return modulo(to - origin, p); })};
}

}  // namespace

const Algorithm all_to_all_ring{
    .collective = Collective::all_to_all,
    .name = "ring",
    .summary = "Every rank forwards to the next one what has arrived, less the block for itself.",
    .when = "On a ring whose links carry messages one way.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.1",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_ring,
    .claims = claims_ring,
};

}  // namespace tutti::algorithms
