/// @file
/// Exclusive scan in one step: every rank sends its input to all later ranks and folds what the earlier ones send.
///
///     0 --x0--> 1, 2, 3    1 --x1--> 2, 3    2 --x2--> 3        rank 3: (x0 ∘ x1) ∘ x2        p = 4
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, sent from where it lies; `output`, in which the fold grows, untouched at rank 0. In place the
///           sends read what the fold would overwrite: m bytes of scratch and one copy more, but at the last rank.
/// Traffic   p (p - 1)/2 messages, p (p - 1) m/2 bytes.
/// Time      (p - 1)(ts + m tw) and max(0, p - 2) m tc on one-port ranks: in round k, rank r sends to r + k.
/// Optimal   in steps. Not in rounds, bytes or combinations: see exclusive_recursive_doubling.cpp and
///           exclusive_chain.cpp.
/// Source    Message Passing Interface Forum, MPI: A Message-Passing Interface Standard 4.0, 2021, §6.11: the
///           definition, carried out as it stands.

#include "algorithms/operands.hpp"
#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem& problem) {
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

Claims claims(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  return {.rounds = p - 1, .messages = p * (p - 1) / 2, .elements = p * (p - 1) / 2 * problem.count};
}

}  // namespace

const Algorithm exclusive_scan_flat{
    .collective = Collective::exclusive_scan,
    .name = "flat",
    .summary = "Every rank folds the inputs of all earlier ranks, in one step.",
    .when = "Short messages among few ranks that read one another's memory.",
    .source = "Message Passing Interface Forum, MPI: A Message-Passing Interface Standard 4.0, 2021, §6.11",
    .record = record,
    .claims = claims,
};

}  // namespace tutti::algorithms
