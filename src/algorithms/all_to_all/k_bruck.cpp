/// @file
/// All-to-all by Bruck's index algorithm with a radix: fewer rounds than blocks, and fewer hops than with 2.
///
/// Call a block's slot how far it has to go upwards around the ranks. For every weight w, a power of k, and every value
/// v of that digit, the blocks of all slots that have it go to rank r + v w as one message, and keep their slots. With
/// k = 2 that is bruck.cpp, with k = p pairwise_modular.cpp; between them rounds are weighed against bytes.
///
///     w = 1    slots 1 4      r -> r + 1        p = 6, k = 3
///              slots 2 5      r -> r + 2
///     w = 3    slots 3 4 5    r -> r + 3
///
/// Needs     any p >= 1, any counts; k is me.parameters().radix_for(p).
/// Buffers   as in bruck.cpp.
/// Traffic   p ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1) messages, L = ceil(log_k p); a block goes once for every digit of
///           its slot that is not 0.
/// Time      the sum over weights w and values v of ts + m tw #{i < p : the digit of i is v}, where ranks are fully
///           connected.
/// Optimal   in rounds for k = 2, in bytes for k = p.
/// Source    J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications
///           in multiport message-passing systems, IEEE TPDS 8(11), 1997, §3.

#include "algorithms/all_to_all/all_to_all.hpp"
#include "algorithms/all_to_all/bruck.hpp"
#include "schedule/alike_text.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem& problem) { bruck_all_to_all(me, problem, me.parameters().radix_for(me.size())); }

Claims claims(const Problem& problem, const Parameters& parameters) {
  return bruck_all_to_all_claims(problem, parameters.radix_for(problem.ranks));
}

}  // namespace

const Algorithm all_to_all_k_bruck{
    .collective = Collective::all_to_all,
    .name = "k-bruck",
    .aliases = {"bruck-radix"},
    .summary = "For every digit in base k, all blocks whose way has it go that far as one message.",
    .when = "Blocks of middle size over several nodes: fewer messages than pairwise, fewer bytes than bruck.",
    .source =
        "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications "
        "in multiport message-passing systems, 1997, §3",
    .for_several_nodes = true,
    .alike = Turns::Kind::rotation,
    .record = AlikeText{Turns::Kind::rotation, record},
    .claims = claims,
};

}  // namespace tutti::algorithms
