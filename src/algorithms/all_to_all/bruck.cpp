/// @file
/// All-to-all by Bruck's index algorithm.
///
/// Call a block's slot how far it has to go upwards around the ranks: slot i of rank r is for rank r + i. For every
/// power of two k < p, the blocks of all slots that have this bit go to rank r + k as one message, and keep their
/// slots.
///
///     k = 1    slots 1 3      r -> r + 1        p = 5
///     k = 2    slots 2 3      r -> r + 2
///     k = 4    slot 4         r -> r + 4
///
/// Needs     any p >= 1, any counts.
/// Buffers   blocks go from `input` to `output`, on their way through scratch for at most 3/2 p m bytes where counts
///           are even. Messages are lists of slices, so that the rotations of the source are not needed; the own block
///           is copied.
/// Traffic   p ceil(log2 p) messages; p #{i < p : i AND k != 0} m bytes for each k, about p log2(p) p/2 m in all.
/// Time      the sum over k = 1, 2, 4, … < p of ts + m tw #{i < p : i AND k != 0}, where ranks are fully connected.
/// Optimal   in rounds for one-port ranks. Not in bytes: see pairwise_modular.cpp.
/// Source    J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications
///           in multiport message-passing systems, IEEE TPDS 8(11), 1997, §3.

#include "algorithms/all_to_all/bruck.hpp"
#include "algorithms/all_to_all/all_to_all.hpp"
#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/all_to_all/transit.hpp"
#include "schedule/alike_text.hpp"

namespace tutti::algorithms {

void bruck_all_to_all(Script& me, const Problem& problem, int radix) {
  const int p = me.size();
  const int r = me.rank();
  Transit transit(me, p, equal_count(problem));
  for (int slot = 1; slot < p && transit.has_places(); ++slot) transit[slot] = {me.input((r + slot) % p)};
  me.copy(me.output(r), me.input(r));

  const auto rank_of = [](int number) { return number; };
  bruck_exchange(transit, Digits(p, radix), r, rank_of, [&](int origin, int destination) -> Message {
    return {destination == r ? me.output(origin) : transit.place(problem.pair_count(origin, destination))};
  });
}

Claims bruck_all_to_all_claims(const Problem& problem, int radix) {
  const int p = problem.ranks;
  const Digits digits(p, radix);
  const std::int64_t rounds = digits.all_values();
  const auto hops = [&](int origin, int to) { return digits.nonzero(modulo(to - origin, p)); };
  return {.rounds = rounds, .messages = p * rounds, .elements = elements_carried(problem, hops)};
}

const Algorithm all_to_all_bruck{
    .collective = Collective::all_to_all,
    .name = "bruck",
    .summary =
        "For every power of two, all blocks whose way has that bit go that far as one message; messages are "
        "lists of slices, so that the source's rotations before and after are not needed.",
    .when = "For small blocks and any number of ranks: no all-to-all has fewer rounds.",
    .source =
        "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications "
        "in multiport message-passing systems, 1997, §3",
    .alike = Turns::Kind::rotation,
    .record =
        AlikeText{Turns::Kind::rotation, [](Script& me, const Problem& problem) { bruck_all_to_all(me, problem, 2); }},
    .claims = [](const Problem& problem) { return bruck_all_to_all_claims(problem, 2); },
};

}  // namespace tutti::algorithms
