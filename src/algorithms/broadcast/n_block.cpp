/// @file
/// Broadcast of n segments in the fewest rounds that are possible, for any number of ranks, on a circulant graph.
///
/// Number the ranks from the root. Round i uses the skip s_k, k = i mod q: rank v sends one segment to v + s_k and
/// receives one from v - s_k, so that all ranks send and receive in all rounds, but for the first q. The root sends a
/// new segment in each round; which one the others pass on is told in circulant.hpp.
///
///     p = 5, n = 2: skips 1, 2, 3     round 1    0 -s1-> 3
///                                     round 2    0 -s2-> 1    3 -s1-> 4
///                                     round 3    0 -s2-> 2    4 -s1-> 1
///                                     round 4    0 -s2-> 3    1 -s2-> 4    4 -s1-> 2
///
/// Needs     any p >= 1, any root; n segments: me.segments_for(m).
/// Buffers   `message`, received and sent in n parts; no scratch.
/// Traffic   (p - 1) n messages, (p - 1) m bytes.
/// Time      (n - 1 + ceil(log2 p))(ts + tw m/n); with the best n, (sqrt(ts (ceil(log2 p) - 1)) + sqrt(tw m))^2.
/// Optimal   in rounds for n segments and one-port ranks: the last segment leaves the root in round n at the earliest,
///           and the ranks that have it can at most double.
/// Source    J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast,
///           All-Broadcast, Reduction and All-Reduction, 2024.

#include <vector>

#include "algorithms/circulant.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_n_block(Script& me, const Problem& problem) {
  const int p = me.size();
  if (p == 1) return;
  const Skips skips(p);
  const Blocks parts = Blocks::parts_of(problem.count, me.segments_for(problem.count));
  const int n = parts.size();
  const auto segment = [&](int s) { return Slice{Buffer::output, parts.first(s), parts.count(s)}; };

  const int v = modulo(me.rank() - problem.root, p);
  const Deliveries mine(skips, v, n);
  std::vector<Deliveries> theirs;  // deliveries of the ranks that this one sends to, by k
  for (int k = 0; k < skips.rounds(); ++k) theirs.emplace_back(skips, (v + skips[k]) % p, n);

  for (int i = 0; i < n - 1 + skips.rounds(); ++i) {
    const int k = mine.skip_of(i);
    if (const std::optional<int> sent = theirs[static_cast<std::size_t>(k)].in_round(i)) {
      me.send(segment(*sent), modulo(me.rank() + skips[k], p));
    }
    if (const std::optional<int> received = mine.in_round(i)) {
      me.receive(segment(*received), modulo(me.rank() - skips[k], p));
    }
    me.wait();
  }
}

Claims claims_n_block(const Problem& problem, const Parameters& parameters) {
  const std::int64_t others = problem.ranks - 1;
  const std::int64_t segments = parameters.segments_for(problem.count);
  return {.rounds = others == 0 ? 0 : segments - 1 + ceil_log2(problem.ranks),
          .messages = others * segments,
          .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_n_block{
    .collective = Collective::broadcast,
    .name = "n-block",
    .aliases = {"circulant", "circulant-pipelined"},
    .summary = "Segments spread over a circulant graph; in every round each rank sends one and receives a new one.",
    .when = "Middle and long messages over any number of ranks: no algorithm has fewer rounds with as many segments.",
    .source =
        "J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast, "
        "Reduction and All-Reduction, 2024",
    .record = record_n_block,
    .claims = claims_n_block,
};

}  // namespace tutti::algorithms
