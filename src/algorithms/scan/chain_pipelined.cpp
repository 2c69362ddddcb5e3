/// @file
/// Scan along the chain of ranks, in segments: while a rank passes on one segment, it receives the next.
///
///     0 -s1-> 1              round 1, p = 3, segments s1, s2; what rank 1 sends has its contribution
///     0 -s2-> 1 -s1-> 2      round 2
///             1 -s2-> 2      round 3
///
/// Needs     any p >= 1, any associative operator; S segments: me.parameters().segments_for(m).
/// Buffers   `input`, read once; `output`, written in S parts and sent on. In place or not; no scratch.
/// Traffic   (p - 1) S messages, (p - 1) m bytes.
/// Time      (p + S - 2)(ts + (tw + tc) m/S) for p > 1.
/// Optimal   in bytes when S is large: a rank must receive m bytes. The best S is sqrt((p - 2) m tw / ts). Not in
///           rounds: see dissemination.cpp.
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009, §1: the linear pipeline.

#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem& problem) {
  const int r = me.rank();
  const bool last = r + 1 == me.size();
  const Blocks parts = Blocks::parts_of(problem.count, me.parameters().segments_for(problem.count));
  const auto part = [&](const Slice& whole, int s) { return part_of(whole, parts, s); };
  if (r == 0) me.copy(me.output(), me.input());
  // Rank 0 has a segment at once, the others one step after they began to receive it.
  const Slice source = r == 0 ? me.input() : me.output();
  const int late = r == 0 ? 0 : 1;
  for (int step = 0; step < parts.size() + late; ++step) {
    if (r > 0 && step < parts.size()) me.receive_reduce(part(me.output(), step), part(me.input(), step), r - 1);
    if (!last && step >= late) me.send(part(source, step - late), r + 1);
    me.wait();
  }
}

}  // namespace

Claims scan_chain_pipelined_claims(const Problem& problem, const Parameters& parameters) {
  const std::int64_t others = problem.ranks - 1;
  const std::int64_t segments = parameters.segments_for(problem.count);
  return {.rounds = others == 0 ? 0 : others + segments - 1,
          .messages = others * segments,
          .elements = others * problem.count};
}

const Algorithm scan_chain_pipelined{
    .collective = Collective::scan,
    .name = "chain-pipelined",
    .aliases = {"pipeline"},
    .summary = "Segments of results follow one another along the chain, each rank adding its own contribution.",
    .when = "Long messages, and linear arrays: every rank receives the message once, in segments.",
    .source =
        "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, "
        "2009, §1",
    .for_several_nodes = true,
    .record = record,
    .claims = scan_chain_pipelined_claims,
};

}  // namespace tutti::algorithms
