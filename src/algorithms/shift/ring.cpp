/// @file
/// Shift by neighbour steps on a ring, the shorter way round.
///
/// Every rank passes the block that it holds to its neighbour, min(q, p - q) times.
///
///     0 --> 1 --> 2    1 --> 2 --> 3    2 --> 3 --> 4    3 --> 4 --> 0    4 --> 0 --> 1        p = 5, q = 2
///
/// Needs     any p >= 1, any distance.
/// Buffers   `input`, sent whole; `output`, received whole; two blocks of scratch at most; a copy where q is a multiple
///           of p.
/// Traffic   p min(q, p - q) messages, p min(q, p - q) m bytes.
/// Time      min(q, p - q)(ts + m tw), also store-and-forward on a ring: all messages go one link.
/// Optimal   on a ring of one-port ranks, where a block crosses one link a step.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.1.

#include "algorithms/shift/hops.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_ring(Script& me, const Problem& problem) {
  const int p = me.size();
  const ShiftNumbering number = shorter_way(p, distance_of(problem));
  const int v = number(me.rank());

  std::vector<ShiftHop> hops;
  for (int step = 1; step <= number.distance(distance_of(problem)); ++step) {
    hops.push_back({.to = number((v + 1) % p), .from = number((v - 1 + p) % p), .origin = number((v - step + p) % p)});
  }
  follow(me, problem, hops);
}

Claims claims_ring(const Problem& problem) {
  const int q = distance_of(problem);
  const std::int64_t steps = shorter_way(problem.ranks, q).distance(q);
  return {.rounds = steps, .messages = problem.ranks * steps, .elements = all_blocks(problem).total() * steps};
}

}  // namespace

const Algorithm shift_ring{
    .collective = Collective::shift,
    .name = "ring",
    .summary = "Every rank passes the block that it holds to its neighbour, the shorter way round.",
    .when = "On a ring or a linear order of ranks where only neighbours are linked.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.1",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_ring,
    .claims = claims_ring,
};

}  // namespace tutti::algorithms
