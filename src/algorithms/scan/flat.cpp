/// @file
/// Scan and exclusive scan in one step: every rank sends its input to all later ranks and folds what the earlier ones
/// send, for a scan with its own input.
///
///     0 --x0--> 1, 2, 3    1 --x1--> 2, 3    2 --x2--> 3        rank 2 of a scan: (x0 ∘ x1) ∘ x2        p = 4
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, sent and read where it lies; `output`, in which the fold grows, of an exclusive scan untouched at
///           rank 0. In place the sends read what the fold would overwrite: m bytes of scratch and one copy more; at
///           the last rank for its own operand, and of an exclusive scan not there.
/// Traffic   p (p - 1)/2 messages, p (p - 1) m/2 bytes.
/// Time      (p - 1)(ts + m tw + m tc) on one-port ranks: in round k, rank r sends to r + k. The exclusive scan has
///           m tc less.
/// Optimal   in steps. Not in rounds, bytes or combinations: see recursive_doubling.cpp and chain.cpp.
/// Source    Message Passing Interface Forum, MPI: A Message-Passing Interface Standard 4.0, 2021, §6.11: the
///           definition, carried out as it stands.

#include "algorithms/operands.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_flat(Script& me, const Problem& problem) {
  const int p = me.size();
  const int r = me.rank();
  const bool last = r + 1 == p;
  const Slice own = last ? set_aside(me, me.input(), me.output()) : me.input();
  const Slice result = problem.in_place && r > 0 && !last ? me.scratch(0, problem.count) : me.output();
  for (int to = r + 1; to < p; ++to) me.send(me.input(), to);
  me.fold(result, operands_in_rank_order(me, 0, r + 1, own));
  me.wait();
  me.copy(me.output(), result);
}

void record_exclusive_flat(Script& me, const Problem& problem) {
  const int p = me.size();
  const int r = me.rank();
  const bool last = r + 1 == p;
  for (int to = r + 1; to < p; ++to) me.send(me.input(), to);
  if (r == 0) return;
  const Slice result = problem.in_place && !last ? me.scratch(0, problem.count) : me.output();
  me.fold(result, operands_in_rank_order(me, 0, r, {}));
  me.wait();
  me.copy(me.output(), result);
}

Claims claims_flat(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  return {.rounds = p - 1, .messages = p * (p - 1) / 2, .elements = p * (p - 1) / 2 * problem.count};
}

}  // namespace

const Algorithm scan_flat{
    .collective = Collective::scan,
    .name = "flat",
    .summary = "Every rank folds its own input and those of all earlier ranks, in one step.",
    .when = "Short messages among few ranks that read one another's memory.",
    .source = "Message Passing Interface Forum, MPI: A Message-Passing Interface Standard 4.0, 2021, §6.11",
    .record = record_flat,
    .claims = claims_flat,
};

const Algorithm exclusive_scan_flat{
    .collective = Collective::exclusive_scan,
    .name = "flat",
    .summary = "Every rank folds the inputs of all earlier ranks, in one step.",
    .when = "Short messages among few ranks that read one another's memory.",
    .source = "Message Passing Interface Forum, MPI: A Message-Passing Interface Standard 4.0, 2021, §6.11",
    .record = record_exclusive_flat,
    .claims = claims_flat,
};

}  // namespace tutti::algorithms
