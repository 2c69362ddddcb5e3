/// @file
/// Broadcast by parts: the root sends each rank its part, then every rank sends its part to all others.
///
///     step 1    the root sends part r to rank r        step 2    rank r sends part r to all
///
/// The root's copy of the message is read once, if ranks read one another's memory, and later reads are spread over the
/// memories, or caches, of all ranks.
///
/// Needs     any p >= 1, any root. Parts are as even as can be where p does not divide m.
/// Buffers   `message` throughout: parts never leave their places. No scratch.
/// Traffic   p - 1 and p (p - 1) messages, (p - 1) m/p and (p - 1) m bytes.
/// Time      2 (p - 1)(ts + m tw/p) on one-port ranks.
/// Optimal   within a factor 2 in bytes; two steps.
/// Source    E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication: Theory, Practice, and
///           Experience, Concurrency and Computation 19, 2007, §7, of the one-step algorithms of §4 and §5.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm broadcast_direct{
    .collective = Collective::broadcast,
    .name = "direct",
    .summary = "The root sends every rank its part in one step; all send their parts to all others in the next.",
    .when = "Long messages among ranks that read one another's memory.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7",
    .record = then(scatter_linear, all_gather_linear),
    .claims = then_claims<scatter_linear, all_gather_linear>,
};

}  // namespace tutti::algorithms
