/// @file
/// All-to-all on a hypercube, store and forward: one exchange across every dimension.
///
/// Call the bits in which a block's origin and destination differ its slot: slot s of rank r is for rank r XOR s.
/// Across bit k, ranks exchange the blocks of all slots that have this bit, p/2 of them as one message, which keep
/// their slots. What a slot holds has come from where its bits up to k say. Rank 0's slots, {x,y} being the block from
/// x to y:
///
///     slot       0        1        2        3
///     start    {0,0}    {0,1}    {0,2}    {0,3}        p = 4
///     bit 0    {0,0}    {1,0}    {0,2}    {1,2}
///     bit 1    {0,0}    {1,0}    {2,0}    {3,0}
///
/// Needs     p a power of two; any counts. For other p see bruck.cpp.
/// Buffers   blocks go from `input` to `output`, on their way through scratch for at most 3/2 p m bytes where counts
///           are even. Messages are lists of p/2 slices at most, instead of the textbook's rearrangement; the own block
///           is copied.
/// Traffic   p log2 p messages, p log2(p) p/2 m bytes.
/// Time      log2 p (ts + m tw p/2), also store-and-forward on a hypercube: all messages go one link.
/// Optimal   in rounds for one-port ranks. Not in bytes, log2(p)/2 times too many: see pairwise.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.3.

#include <bit>

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/all_to_all/transit.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/symmetry/symmetric_algorithm.hpp"

namespace tutti::algorithms {
namespace {

void record_hypercube(Script& me, const Problem& problem) {
  const int p = me.size();
  const int r = me.rank();
  Transit transit(me, p, equal_count(problem));
  for (int slot = 1; slot < p && transit.has_places(); ++slot) transit[slot] = {me.input(r ^ slot)};
  me.copy(me.output(r), me.input(r));

  for (int bit = 1; bit < p; bit *= 2) {
    std::vector<int> slots;
    for (int slot = bit; slot < p; ++slot) {
      if (slot & bit) slots.push_back(slot);
    }
    const int crossed = 2 * bit - 1;
    const auto place = [&](int slot) -> Message {
      const int origin = r ^ (slot & crossed);
      const int destination = origin ^ slot;
      return {destination == r ? me.output(origin) : transit.place(problem.pair_count(origin, destination))};
    };
    transit.exchange(slots, r ^ bit, r ^ bit, place);
  }
}

Claims claims_hypercube(const Problem& problem) {
  const std::int64_t d = ceil_log2(problem.ranks);
  const auto links = [](int origin, int to) { return std::popcount(static_cast<unsigned>(origin ^ to)); };
  return {.rounds = d, .messages = problem.ranks * d, .elements = elements_carried(problem, links)};
}

}  // namespace

const Algorithm all_to_all_hypercube{
    .collective = Collective::all_to_all,
    .name = "hypercube",
    .summary = "Across every dimension, ranks exchange all blocks for the other half as one message.",
    .when = "For small blocks on a hypercube, store and forward.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.3",
    .needs = {Need::power_of_two_ranks},
    .symmetry = RankSymmetry::Kind::exchange,
    .record = SymmetricAlgorithm{RankSymmetry::Kind::exchange, record_hypercube},
    .claims = claims_hypercube,
};

}  // namespace tutti::algorithms
