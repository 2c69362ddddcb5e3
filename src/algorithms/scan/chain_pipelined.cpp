/// @file
/// Scan and exclusive scan along the chain of ranks, in segments: while a rank passes on one segment, it receives the
/// next. What it sends has its contribution; so has the result of a scan, and that of an exclusive scan is what it
/// received.
///
///     0 -s1-> 1              round 1, p = 3, segments s1, s2
///     0 -s2-> 1 -s1-> 2      round 2
///             1 -s2-> 2      round 3
///
/// Needs     any p >= 1, any associative operator; S segments: me.segments_for(m).
/// Buffers   `input`, read once; `output`, written in S parts, by a scan sent on, too. Scan: in place or not; no
///           scratch. Exclusive scan: scratch of m elements between the first rank and the last for what is sent on; in
///           place for what is received.
/// Traffic   (p - 1) S messages, (p - 1) m bytes.
/// Time      (p + S - 2)(ts + (tw + tc) m/S) for p > 1; of the exclusive scan (p + S - 2)(ts + tw m/S)
///           + (p + S - 3) tc m/S for p > 2.
/// Optimal   in bytes when S is large: a rank must receive m bytes. The best S of a scan is sqrt((p - 2) m tw / ts).
///           Not in rounds: see dissemination.cpp and exclusive_123_doubling.cpp.
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009, §1: the linear pipeline.

#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {
namespace {

void record_chain_pipelined(Script& me, const Problem& problem) {
  const int r = me.rank();
  const bool last = r + 1 == me.size();
  const Blocks parts = Blocks::parts_of(problem.count, me.segments_for(problem.count));
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

void record_exclusive_chain_pipelined(Script& me, const Problem& problem) {
  const int r = me.rank();
  const bool first = r == 0;
  const bool last = r + 1 == me.size();
  const Blocks parts = Blocks::parts_of(problem.count, me.segments_for(problem.count));
  const auto part = [&](const Slice& whole, int s) { return part_of(whole, parts, s); };
  const bool inner = !first && !last;
  const Slice scratch = inner ? me.scratch(0, problem.count) : Slice{};
  // In place the contribution lies where the result belongs, so each takes the other's way.
  const Slice before = inner && problem.in_place ? scratch : me.output();
  const Slice through = first ? me.input() : problem.in_place ? me.output() : scratch;
  const int late = first ? 0 : 1;
  for (int step = 0; step < parts.size() + late; ++step) {
    const bool receives = !first && step < parts.size();
    if (receives) me.receive(part(before, step), r - 1);
    if (!last && step >= late) me.send(part(through, step - late), r + 1);
    me.wait();
    if (!receives || last) continue;
    me.reduce(part(through, step), part(before, step), part(me.input(), step));
    me.wait();
  }
  if (inner && problem.in_place) me.copy(me.output(), before);
}

Claims claims_chain_pipelined(const Problem& problem, const Parameters& parameters) {
  const std::int64_t others = problem.ranks - 1;
  const std::int64_t segments = parameters.segments_for(problem.count);
  return {.rounds = others == 0 ? 0 : others + segments - 1,
          .messages = others * segments,
          .elements = others * problem.count};
}

}  // namespace

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
    .record = record_chain_pipelined,
    .claims = claims_chain_pipelined,
};

const Algorithm exclusive_scan_chain_pipelined{
    .collective = Collective::exclusive_scan,
    .name = "chain-pipelined",
    .aliases = {"pipeline"},
    .summary = "Segments of results follow one another along the chain, and go on with the rank's contribution added.",
    .when = "Long messages, and linear arrays: every rank receives the message once, in segments.",
    .source =
        "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, "
        "2009, §1",
    .for_several_nodes = true,
    .record = record_exclusive_chain_pipelined,
    .claims = claims_chain_pipelined,
};

}  // namespace tutti::algorithms
