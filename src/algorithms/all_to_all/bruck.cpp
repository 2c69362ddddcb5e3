/// @file
/// All-to-all by Bruck's index algorithm, in base 2 and in any other.
///
/// Call a block's slot how far it has to go upwards around the ranks: slot i of rank r is for rank r + i. For every
/// weight w, a power of k, and every value v of that digit, the blocks of all slots that have it go to rank r + v w as
/// one message, and keep their slots. In base 2 rounds are fewest; with k = p that is pairwise_modular.cpp; between
/// them rounds are weighed against bytes.
///
///     p = 5, k = 2                            p = 6, k = 3
///     w = 1    slots 1 3      r -> r + 1      w = 1    slots 1 4      r -> r + 1
///     w = 2    slots 2 3      r -> r + 2               slots 2 5      r -> r + 2
///     w = 4    slot 4         r -> r + 4      w = 3    slots 3 4 5    r -> r + 3
///
/// Needs     any p >= 1, any counts; k is 2, or me.radix_for(p).
/// Buffers   blocks go from `input` to `output`, on their way through scratch for at most 3/2 p m bytes where counts
///           are even and k = 2. Messages are lists of slices, so that the rotations of the source are not needed; the
///           own block is copied.
/// Traffic   p ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1) messages, L = ceil(log_k p): for k = 2 p ceil(log2 p). A block
///           goes once for every digit of its slot that is not 0: for k = 2 about p log2(p) p/2 m bytes in all.
/// Time      the sum over weights w and values v of ts + m tw #{i < p : the digit of i is v}, where ranks are fully
///           connected; for k = 2 over w = 1, 2, 4, … < p of ts + m tw #{i < p : i AND w != 0}.
/// Optimal   in rounds for one-port ranks and k = 2, in bytes for k = p.
/// Source    J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications
///           in multiport message-passing systems, IEEE TPDS 8(11), 1997, §3.

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/all_to_all/transit.hpp"
#include "algorithms/table.hpp"
#include "schedule/symmetry/symmetric_algorithm.hpp"

namespace tutti::algorithms {
namespace {

void record_bruck(Script& me, const Problem& problem, int radix) {
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

Claims claims_bruck(const Problem& problem, int radix) {
  const int p = problem.ranks;
  const Digits digits(p, radix);
  const std::int64_t rounds = digits.all_values();
  const auto hops = [&](int origin, int to) { return digits.nonzero(modulo(to - origin, p)); };
  return {.rounds = rounds, .messages = p * rounds, .elements = elements_carried(problem, hops)};
}

constexpr std::string_view source =
    "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications in "
    "multiport message-passing systems, 1997, §3";

}  // namespace

const Algorithm all_to_all_bruck{
    .collective = Collective::all_to_all,
    .name = "bruck",
    .summary =
        "For every power of two, all blocks whose distance has that bit travel that far as one message; messages are "
        "lists of slices, so the source's rotations before and after are not needed.",
    .when = "For small blocks and any number of ranks: no all-to-all has fewer rounds.",
    .source = source,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = SymmetricAlgorithm{RankSymmetry::Kind::rotation,
                                 [](Script& me, const Problem& problem) { record_bruck(me, problem, 2); }},
    .claims = [](const Problem& problem) { return claims_bruck(problem, 2); },
};

const Algorithm all_to_all_k_bruck{
    .collective = Collective::all_to_all,
    .name = "k-bruck",
    .aliases = {"bruck-radix"},
    .summary = "For every digit in base k, all blocks whose distance has it travel that far as one message.",
    .when = "Blocks of middle size over several nodes: fewer messages than pairwise, fewer bytes than bruck.",
    .source = source,
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = SymmetricAlgorithm{RankSymmetry::Kind::rotation,
                                 [](Script& me, const Problem& problem) {
                                   record_bruck(me, problem, me.radix_for(me.size()));
                                 }},
    .claims = [](const Problem& problem,
                 const Parameters& parameters) { return claims_bruck(problem, parameters.radix_for(problem.ranks)); },
};

}  // namespace tutti::algorithms
