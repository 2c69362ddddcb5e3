/// @file
/// Scan by distances: in round k every rank sends its result so far to the rank 2^k above it.
///
///     rank     0      1       2       3       4       5       6
///     start   [0]    [1]     [2]     [3]     [4]     [5]     [6]          p = 7
///     k = 0   [0]    [0-1]   [1-2]   [2-3]   [3-4]   [4-5]   [5-6]
///     k = 1   [0]    [0-1]   [0-2]   [0-3]   [1-4]   [2-5]   [3-6]
///     k = 2   [0]    [0-1]   [0-2]   [0-3]   [0-4]   [0-5]   [0-6]
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, sent in the first round; the result grows in `output` and in m bytes of scratch by turns. In
///           place a rank that would end in the wrong one of them sets its contribution aside first, in m bytes more.
/// Traffic   p ceil(log2 p) - (2^ceil(log2 p) - 1) messages of m bytes.
/// Time      ceil(log2 p)(ts + m tw + m tc) where ranks are fully connected.
/// Optimal   in rounds for one-port ranks, and each round has one combination: see recursive_doubling.cpp.
/// Source    W. D. Hillis, G. L. Steele, Data parallel algorithms, Communications of the ACM 29(12), 1986.

#include <bit>

#include "algorithms/scan/growing_prefix.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_dissemination(Script& me, const Problem& problem) {
  const int growths = std::bit_width(static_cast<unsigned>(me.rank()));
  if (growths == 0) me.copy(me.output(), me.input());
  Slice own = me.input();
  if (own == me.output() && growths % 2 == 1) {
    own = me.scratch(problem.count, problem.count);
    me.copy(own, me.input());
    me.wait();
  }
  GrowingPrefix result(me, own, growths);
  for (int distance = 1; distance < me.size(); distance *= 2) {
    if (me.rank() + distance < me.size()) me.send(result.place(), me.rank() + distance);
    if (me.rank() >= distance) result.grow(me.rank() - distance);
    me.wait();
  }
}

Claims claims_dissemination(const Problem& problem) {
  const std::int64_t rounds = ceil_log2(problem.ranks);
  const std::int64_t messages = problem.ranks * rounds - (ceil_power_of_two(problem.ranks) - 1);
  return {.rounds = rounds, .messages = messages, .elements = messages * problem.count};
}

}  // namespace

const Algorithm scan_dissemination{
    .collective = Collective::scan,
    .name = "dissemination",
    .aliases = {"hillis-steele"},
    .summary = "In round k every rank sends its result so far to the rank 2^k above it.",
    .when = "Where combining is dear: it has the fewest rounds, with one combination each.",
    .source = "W. D. Hillis, G. L. Steele, Data parallel algorithms, 1986",
    .record = record_dissemination,
    .claims = claims_dissemination,
};

}  // namespace tutti::algorithms
