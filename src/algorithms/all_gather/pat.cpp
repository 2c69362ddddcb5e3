/// @file
/// All-gather along p binomial trees at once, in messages of at most A blocks: parallel aggregated trees.
///
/// The block of rank o comes to rank o - d (mod p) along the binomial tree of offsets d, in which the parent of d is d
/// with its lowest set bit cleared: the farthest hop comes first, while there is one block to send. First come the
/// log2 A hops of which A offsets are the ends; then, for each offset between them in the order of the tree, one
/// message of the A blocks whose offsets lie D = 2^q/A apart, q = ceil(log2 p).
///
///     p = 8, A = 2, D = 4    round 1    r - 4 <-- r    offset 4
///                            round 2    r - 2 <-- r    offsets 2 and 6
///                            round 3    r - 1 <-- r    offsets 3 and 7
///                            round 4    r - 1 <-- r    offsets 1 and 5
///
/// Needs     any p >= 1, any block sizes; A is the largest power of two up to me.radix_for(p), and at most
///           2^(q-1).
/// Buffers   `input`, one block; `output`, p blocks, of which messages are lists. No scratch.
/// Traffic   p (log2 A + 2^q/A - 1) messages of at most A blocks; every block p - 1 times.
/// Time      ts (log2 A + 2^q/A - 1) + tw m (p - 1).
/// Optimal   in bytes; in rounds for A = 2^(q-1). Far messages are few and short, as in no other with as few rounds.
/// Source    S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025.

#include <algorithm>

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/symmetry/symmetric_algorithm.hpp"

namespace tutti::algorithms {
namespace {

class AggregatedTrees {
 public:
  AggregatedTrees(int ranks, int radix)
      : whole_(ceil_power_of_two(ranks)), blocks_(std::min(floor_power_of_two(radix), std::max(1, whole_ / 2))) {}

  /// Returns the number of rounds: those of offsets from p on are none.
  std::int64_t rounds() const { return floor_log2(blocks_) + whole_ / blocks_ - 1; }

  /// Calls `see(distance, first, period)` for each round: what hops by `distance` to the offsets first,
  /// first + period, …
  template <typename See>
  void for_each_round(const See& see) const {
    const int apart = whole_ / blocks_;
    for (int distance = whole_ / 2; distance >= apart; distance /= 2) see(distance, distance, 2 * distance);
    below(0, apart / 2, [&](int distance, int offset) { see(distance, offset, apart); });
  }

 private:
  // The subtree of `offset` whose farthest hop is `farthest`, deep before broad.
  template <typename See>
  static void below(int offset, int farthest, const See& see) {
    for (int distance = farthest; distance > 0; distance /= 2) {
      see(distance, offset + distance);
      below(offset + distance, distance / 2, see);
    }
  }

  int whole_;   // 2^q
  int blocks_;  // A
};

// The text of rank 0.
void record_pat(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(0), me.input());
  bool is_first = true;
  AggregatedTrees(p, me.radix_for(p)).for_each_round([&](int distance, int first, int period) {
    Message sent;
    Message received;
    for (int offset = first; offset < p; offset += period) {
      sent.push_back(is_first ? me.input() : me.output(offset - distance));
      received.push_back(me.output(offset));
    }
    me.send(sent, modulo(-distance, p));
    me.receive(received, distance % p);
    me.wait();
    is_first = false;
  });
}

Claims claims_pat(const Problem& problem, const Parameters& parameters) {
  const std::int64_t p = problem.ranks;
  const std::int64_t rounds = AggregatedTrees(problem.ranks, parameters.radix_for(problem.ranks)).rounds();
  return {.rounds = rounds, .messages = p * rounds, .elements = (p - 1) * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_pat{
    .collective = Collective::all_gather,
    .name = "pat",
    .aliases = {"parallel-aggregated-trees"},
    .summary = "Blocks go along binomial trees, one a rank, the farthest hops first, in messages of a few blocks.",
    .when = "Short and middle blocks over many nodes: few rounds, and few and short messages over long ways.",
    .source = "S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025",
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = SymmetricAlgorithm{RankSymmetry::Kind::rotation, record_pat},
    .claims = claims_pat,
};

}  // namespace tutti::algorithms
