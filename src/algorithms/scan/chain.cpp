/// @file
/// Scan and exclusive scan along the chain of ranks.
///
/// Each rank combines what the previous one sends with its own contribution, and sends that on. It is the rank's result
/// of a scan; of an exclusive scan the result is what it received.
///
///     0 --x0--> 1 --x0 x1--> 2 --x0 x1 x2--> 3
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read once. Scan: `output`, written once and sent on, in place or not; no scratch. Exclusive scan:
///           `output`, received once, untouched at rank 0; m bytes of scratch for what is sent on; in place for what is
///           received, and one copy of it after sending on.
/// Traffic   p - 1 messages, (p - 1) m bytes.
/// Time      (p - 1)(ts + m tw), also on a linear array.
/// Optimal   in messages and bytes: every rank but the first must receive. Not in rounds: see recursive_doubling.cpp.
/// Source    the serial prefix of R. E. Ladner, M. J. Fischer, Parallel prefix computation, JACM 27(4), 1980, §2, one
///           processor a value, for the exclusive scan shifted by one.

#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_chain(Script& me, const Problem&) {
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

void record_exclusive_chain(Script& me, const Problem& problem) {
  const int r = me.rank();
  const bool last = r + 1 == me.size();
  if (r == 0) {
    if (!last) me.send(me.input(), r + 1);
    return;
  }
  if (last) {
    me.receive(me.output(), r - 1);
    return;
  }
  // In place the contribution lies where the result belongs, so each takes the other's way.
  const Slice scratch = me.scratch(0, problem.count);
  const Slice before = problem.in_place ? scratch : me.output();
  const Slice through = problem.in_place ? me.output() : scratch;
  me.receive(before, r - 1);
  me.wait();
  me.reduce(through, before, me.input());
  me.wait();
  me.send(through, r + 1);
  me.wait();
  if (problem.in_place) me.copy(me.output(), before);
}

Claims claims_chain(const Problem& problem) {
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
    .record = record_chain,
    .claims = claims_chain,
};

const Algorithm exclusive_scan_chain{
    .collective = Collective::exclusive_scan,
    .name = "chain",
    .aliases = {"linear", "ring"},
    .summary = "Each rank receives its result from the previous one and sends it on with its own contribution added.",
    .when = "For few ranks, or where only neighbours are linked.",
    .source = "R. E. Ladner, M. J. Fischer, Parallel prefix computation, 1980, §2: the serial prefix",
    .record = record_exclusive_chain,
    .claims = claims_chain,
};

}  // namespace tutti::algorithms
