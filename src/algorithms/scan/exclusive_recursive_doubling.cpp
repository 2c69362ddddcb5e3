/// @file
/// Exclusive scan by recursive doubling.
///
/// Ranks exchange totals as in recursive_doubling.cpp: ranks that differ in bit k exchange the totals of their
/// subcubes of 2^k ranks, and the rank with the bit set puts the total received before its result; but the result
/// begins empty, not as the rank's own contribution. Results are in square brackets, totals to send in parentheses:
///
///     rank     0         1          2          3            4         5
///     start  [](0)     [](1)      [](2)      [](3)        [](4)     []            p = 6
///     k = 0  [](0-1)   [0](0-1)   [](2-3)    [2](2-3)     []        [4]
///     k = 1  [](0-3)   [0](0-3)   [0-1]      [0-2]        []        [4]
///     k = 2  []        [0]        [0-1]      [0-2]        [0-3]     [0-4]
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, sent in the first round; the result grows in `output`, untouched at rank 0; the total in scratch,
///           2 m bytes at most. In place the first result of an odd rank waits in m bytes more until its contribution,
///           which lies in its output, has been sent; only rank 1 copies it there.
/// Traffic   p d - (p - 1) messages of m bytes for p = 2^d; fewer than p ceil(log2 p) for any p.
/// Time      ceil(log2 p) (ts + m tw) where ranks are fully connected, and on a hypercube.
/// Optimal   in rounds for one-port ranks: what rank p - 1 has heard of, itself included, can at most double. Not in
///           bytes: see chain.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3, there
///           for p = 2^d and with the rank's own contribution.

#include <optional>

#include "algorithms/scan/subcube.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

// The first total that a rank receives is its result so far.
void receive_first(Script& me, SubcubeTotal& total, std::optional<Slice>& result, int bit, std::int64_t count) {
  const bool sends = total.needed(bit);
  const bool next_total = total.needed(2 * bit);
  const bool occupied = (sends || next_total) && total.place() == me.output();
  result = occupied ? me.scratch(2 * count, count) : me.output();
  sends ? me.send(total.place(), me.rank() - bit) : me.prune_send(me.rank() - bit);
  me.receive(*result, me.rank() - bit);
  me.wait();
  if (next_total) total.put_before(*result);
  me.wait();
}

// A later total comes before the result, and before this rank's own total.
void receive_later(Script& me, SubcubeTotal& total, std::optional<Slice>& result, int bit) {
  const int partner = me.rank() - bit;
  total.needed(bit) ? me.send(total.place(), partner) : me.prune_send(partner);
  if (total.needed(2 * bit)) {
    const Slice received = total.spare();
    me.receive(received, partner);
    me.wait();
    me.reduce(me.output(), received, *result);
    total.put_before(received);
  } else {
    me.receive_reduce(me.output(), *result, partner);
  }
  me.wait();
  result = me.output();
}

void record_exclusive_recursive_doubling(Script& me, const Problem& problem) {
  SubcubeTotal total(me, problem.count);
  std::optional<Slice> result;
  for (int bit = 1; bit < me.size(); bit *= 2) {
    if ((me.rank() & bit) == 0) {
      total.exchange_with_upper_half(bit);
    } else if (!result) {
      receive_first(me, total, result, bit, problem.count);
    } else {
      receive_later(me, total, result, bit);
    }
  }
  if (result) me.copy(me.output(), *result);
}

Claims claims_exclusive_recursive_doubling(const Problem& problem) {
  return subcube_scan_traffic(problem.ranks, problem.count);
}

}  // namespace

const Algorithm exclusive_scan_recursive_doubling{
    .collective = Collective::exclusive_scan,
    .name = "recursive-doubling",
    .aliases = {"hypercube"},
    .summary = "Ranks that differ in one bit exchange the totals of their subcubes; own contributions stay out.",
    .when = "By default: no exclusive scan has fewer rounds.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3",
    .record = record_exclusive_recursive_doubling,
    .claims = claims_exclusive_recursive_doubling,
};

}  // namespace tutti::algorithms
