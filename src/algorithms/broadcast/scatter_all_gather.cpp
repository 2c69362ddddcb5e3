/// @file
/// Broadcast by scattering the message and gathering its parts everywhere.
///
/// The tree sends the whole message log2 p times over the root's link; here each part crosses it once. A binomial
/// scatter leaves part r with rank r; an all-gather round a ring (or by doubling) brings all parts to all. On a grid
/// both go along its dimensions, the all-gather round rings or by aggregated trees.
///
/// Needs     any p >= 1, any root; with doubling p = 2^d. Parts are as even as can be where p does not divide m.
/// Buffers   `message` throughout: parts never leave their places. No scratch.
/// Traffic   with the ring p - 1 + p(p - 1) messages; bytes: those of the scatter and (p - 1) m.
/// Time      ring: ts (ceil(log2 p) + p - 1) + 2 tw m (p - 1)/p; doubling: 2 ts log2 p + 2 tw m (p - 1)/p; p = 2^d;
///           grid: the same bytes, and over extents e ceil(log2 e) rounds each, and those of the all-gather: e - 1, or
///           as in all_gather/mesh_pat.cpp.
/// Optimal   within a factor 2 in bytes.
/// Source    E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication: Theory, Practice, and
///           Experience, Concurrency and Computation 19, 2007, §7.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm broadcast_scatter_all_gather{
    .collective = Collective::broadcast,
    .name = "scatter-all-gather",
    .aliases = {"scatter-all-gather-ring", "van-de-geijn"},
    .summary = "A binomial scatter of the message's parts, then an all-gather round a ring.",
    .when = "Long messages: each element crosses the root's link once and every other link about twice.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7",
    .record = then(scatter_binomial, all_gather_ring),
    .claims = then_claims<scatter_binomial, all_gather_ring>,
};

const Algorithm broadcast_scatter_all_gather_doubling{
    .collective = Collective::broadcast,
    .name = "scatter-all-gather-doubling",
    .summary = "A binomial scatter of the message's parts, then an all-gather by recursive doubling.",
    .when = "Messages of middle and great length where p is a power of two and any two ranks are near.",
    .source =
        "R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in MPICH, 2005, "
        "§4.2",
    .needs = {Need::power_of_two_ranks},
    .record = then(scatter_binomial, all_gather_recursive_doubling),
    .claims = then_claims<scatter_binomial, all_gather_recursive_doubling>,
};

const Algorithm broadcast_scatter_all_gather_mesh{
    .collective = Collective::broadcast,
    .name = "scatter-all-gather-mesh",
    .summary = "A scatter of the message's parts along the dimensions of a grid, then an all-gather back the same way.",
    .when = "Middle messages on meshes and tori: fewer rounds than round one ring.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7",
    .for_several_nodes = true,
    .record = then(scatter_mesh, all_gather_mesh),
    .claims = then_claims<scatter_mesh, all_gather_mesh>,
};

const Algorithm broadcast_scatter_all_gather_mesh_pat{
    .collective = Collective::broadcast,
    .name = "scatter-all-gather-mesh-pat",
    .summary =
        "A scatter of the message's parts along the dimensions of a grid, then an all-gather by aggregated trees.",
    .when = "Middle messages on tori, and many ranks.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7",
    .for_several_nodes = true,
    .record = then(scatter_mesh, all_gather_mesh_pat),
    .claims = then_claims<scatter_mesh, all_gather_mesh_pat>,
};

}  // namespace tutti::algorithms
