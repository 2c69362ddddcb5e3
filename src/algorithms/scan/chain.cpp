/// @file
/// Scan along the chain of ranks.
///
/// Each rank combines what the previous one sends with its own contribution; that is its result, and what it sends on.
///
///     0 --x0--> 1 --x0 x1--> 2 --x0 x1 x2--> 3
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read once; `output`, written once and sent on. In place or not; no scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes.
/// Time      (p - 1)(ts + m tw), also on a linear array.
/// Optimal   in messages and bytes: every rank but the first must receive. Not in rounds: see recursive_doubling.cpp.
/// Source    the serial prefix of R. E. Ladner, M. J. Fischer, Parallel prefix computation, JACM 27(4), 1980, §2, one
///           processor a value.

#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem&) {
  const int r = me.rank();
  if (r == 0) {
    me.copy(me.output(), me.input());
  } else {
    me.receive_reduce(me.output(), me.input(), r - 1);
    me.wait();
  }
  // Rank 0 sends from its input, so that it need not wait for its copy.
  if (r + 1 < me.size()) me.send(r == 0 ? me.input() : me.output(), r + 1);
}

Claims claims(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  return {.rounds = p - 1, .messages = p - 1, .elements = (p - 1) * problem.count};
}

}  // namespace

const Algorithm scan_chain{
    .collective = Collective::scan,
    .name = "chain",
    .aliases = {"linear", "ring"},
    .summary = "Each rank combines what the previous one sends with its own contribution and sends it on.",
    .when = "For few ranks, or where only neighbours are linked.",
    .source = "R. E. Ladner, M. J. Fischer, Parallel prefix computation, 1980, §2: the serial prefix",
    .record = record,
    .claims = claims,
};

}  // namespace tutti::algorithms
