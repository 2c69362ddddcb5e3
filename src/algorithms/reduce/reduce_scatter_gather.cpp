/// @file
/// Reduce by a reduce-scatter, then a gather: the duals of broadcast by scatter and all-gather.
///
/// Needs     any p >= 1, any root, and a commutative operator.
/// Buffers   those of the two, one after the other.
/// Traffic   messages and bytes of both.
/// Time      rounds and time of both.
/// Optimal   in bytes within a factor 2.
/// Source    E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7; R.
///           Rabenseifner, Optimization of Collective Reduction Operations, ICCS, 2004.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm reduce_scatter_gather{
    .collective = Collective::reduce,
    .name = "reduce-scatter-gather",
    .aliases = {"scatter-all-gather", "rabenseifner"},
    .summary =
        "A reduce-scatter round a ring leaves each rank one part of the result; a binomial gather collects them.",
    .when = "Long messages: each element crosses every link about twice.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7",
    .needs = {Need::commutative_operator},
    .record = then(reduce_scatter_ring, gather_binomial),
    .claims = then_claims<reduce_scatter_ring, gather_binomial>,
};

const Algorithm reduce_scatter_gather_mesh{
    .collective = Collective::reduce,
    .name = "reduce-scatter-gather-mesh",
    .aliases = {"scatter-all-gather-mesh"},
    .summary = "A reduce-scatter along the dimensions of a grid, then a gather of the parts back the same way.",
    .when = "Middle messages on meshes and tori: fewer rounds than round one ring.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = then(reduce_scatter_mesh, gather_mesh),
    .claims = then_claims<reduce_scatter_mesh, gather_mesh>,
};

const Algorithm reduce_scatter_gather_mesh_pat{
    .collective = Collective::reduce,
    .name = "reduce-scatter-gather-mesh-pat",
    .aliases = {"scatter-all-gather-mesh-pat"},
    .summary = "A reduce-scatter by aggregated trees along the dimensions of a grid, then a gather of the parts.",
    .when = "Middle messages on tori, and many ranks.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §7",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = then(reduce_scatter_mesh_pat, gather_mesh),
    .claims = then_claims<reduce_scatter_mesh_pat, gather_mesh>,
};

const Algorithm reduce_scatter_gather_halving{
    .collective = Collective::reduce,
    .name = "reduce-scatter-gather-halving",
    .aliases = {"scatter-all-gather-doubling"},
    .summary = "A reduce-scatter by recursive halving, then a binomial gather.",
    .when = "Messages of middle and great length where p is a power of two.",
    .source = "R. Rabenseifner, Optimization of Collective Reduction Operations, ICCS, 2004",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .record = then(reduce_scatter_recursive_halving, gather_binomial),
    .claims = then_claims<reduce_scatter_recursive_halving, gather_binomial>,
};

}  // namespace tutti::algorithms
