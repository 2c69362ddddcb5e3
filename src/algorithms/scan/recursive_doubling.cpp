/// @file
/// Scan by recursive doubling.
///
/// In round k ranks that differ in bit k exchange the totals of their subcubes of 2^k ranks. The rank with the bit set
/// puts the total received before its result; both put it into their next total, which a rank keeps only as long as
/// some rank will want it (see subcube.hpp). Results are in square brackets, totals to send in parentheses:
///
///     rank      0          1            2           3             4          5
///     start  [0](0)     [1](1)       [2](2)      [3](3)        [4](4)     [5]            p = 6
///     k = 0  [0](0-1)   [0-1](0-1)   [2](2-3)    [2-3](2-3)    [4]        [4-5]
///     k = 1  [0](0-3)   [0-1](0-3)   [0-2]       [0-3]         [4]        [4-5]
///     k = 2  [0]        [0-1]        [0-2]       [0-3]         [0-4]      [0-5]
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, sent in the first round; the result grows in `output`, the total in scratch, 2 m bytes at most.
///           In place or not; only rank 0 copies, and not in place.
/// Traffic   p d - (p - 1) messages of m bytes for p = 2^d; fewer than p ceil(log2 p) for any p.
/// Time      ceil(log2 p) (ts + m tw) where ranks are fully connected, and on a hypercube.
/// Optimal   in rounds for one-port ranks: what rank p - 1 depends on can at most double. Not in bytes: see chain.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3, there
///           for p = 2^d.

#include "algorithms/scan/subcube.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

// The round across `bit` of a rank that has it: the partner's total comes first in the result and in the next total.
void exchange_with_lower_half(Script& me, SubcubeTotal& total, Slice& result, int bit) {
  const int partner = me.rank() - bit;
  const bool one_value = total.place() == result;  // true as long as all bits so far are set
  const bool next_total = total.needed(2 * bit) && !one_value;
  total.needed(bit) ? me.send(total.place(), partner) : me.prune_send(partner);

  // A total that comes in can be combined on its way, unless it is needed twice or would overwrite what is being sent.
  if (!next_total && !(total.needed(bit) && total.place() == me.output())) {
    me.receive_reduce(me.output(), result, partner);
    me.wait();
  } else {
    const Slice received = total.spare();
    me.receive(received, partner);
    me.wait();
    me.reduce(me.output(), received, result);
    if (next_total) total.put_before(received);
    me.wait();
  }
  result = me.output();
  if (one_value) total.lies_at(result);
}

void record_recursive_doubling(Script& me, const Problem& problem) {
  SubcubeTotal total(me, problem.count);
  Slice result = me.input();
  if (me.rank() == 0) me.copy(me.output(), result);
  for (int bit = 1; bit < me.size(); bit *= 2) {
    if (me.rank() & bit) {
      exchange_with_lower_half(me, total, result, bit);
    } else {
      total.exchange_with_upper_half(bit);
    }
  }
}

Claims claims_recursive_doubling(const Problem& problem) { return subcube_scan_traffic(problem.ranks, problem.count); }

}  // namespace

const Algorithm scan_recursive_doubling{
    .collective = Collective::scan,
    .name = "recursive-doubling",
    .aliases = {"hypercube"},
    .summary = "Ranks that differ in one bit exchange the totals of their subcubes, bit after bit.",
    .when = "By default: no scan has fewer rounds.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3",
    .record = record_recursive_doubling,
    .claims = claims_recursive_doubling,
};

}  // namespace tutti::algorithms
