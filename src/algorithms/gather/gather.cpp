/// @file
/// Gather: the duals of scatter. Every rank's block of m bytes comes to the root, in rank order.
///
/// Needs     as the scatter it is the dual of: any p >= 1, any root, any block sizes.
/// Buffers   everyone's `input` of one block, the root's `output` of p; ranks on the way keep the blocks of others in
///           scratch at the positions of the root's output.
/// Traffic   messages and bytes of the scatter.
/// Time      rounds and time of the scatter.
/// Optimal   where the scatter is: at the root in bytes, binomial in rounds too.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.4; by
///           leaders: see scatter/leaders.cpp.

#include "algorithms/table.hpp"

#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm gather_linear{
    .collective = Collective::gather,
    .name = "linear",
    .aliases = {"flat"},
    .summary = "Every rank sends its block to the root.",
    .when = "Few ranks or long blocks.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §4",
    .own_blocks_suffice = true,
    .record = dual(scatter_linear),
    .claims = dual_claims<scatter_linear>,
};

const Algorithm gather_binomial{
    .collective = Collective::gather,
    .name = "binomial",
    .aliases = {"hypercube", "recursive-doubling", "tree", "ring"},
    .summary = "Groups and their data double in each round, along a binomial tree.",
    .when = "Short and middle blocks: fewest rounds, and the root receives each block once.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.4",
    .record = dual(scatter_binomial),
    .claims = dual_claims<scatter_binomial>,
};

const Algorithm gather_k_nomial{
    .collective = Collective::gather,
    .name = "k-nomial",
    .aliases = {"knomial"},
    .summary = "k groups and their data become one in each step, along a tree of radix k.",
    .when = "Short blocks over several nodes whose ranks have several messages under way at once.",
    .source = "M. Wilkins et al., Generalized Collective Algorithms for the Exascale Era, 2023, §3",
    .for_several_nodes = true,
    .record = dual(scatter_k_nomial),
    .claims = dual_claims<scatter_k_nomial>,
};

const Algorithm gather_mesh{
    .collective = Collective::gather,
    .name = "mesh",
    .aliases = {"torus"},
    .summary = "The binomial gather along every row at once, then of whole rows up the root's column.",
    .when = "Meshes and tori; as good as the binomial tree where extents are powers of two.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.4",
    .record = dual(scatter_mesh),
    .claims = dual_claims<scatter_mesh>,
};

const Algorithm gather_leaders{
    .collective = Collective::gather,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "One rank of every node collects its blocks; these go to the root along a binomial tree.",
    .when = "Short and middle blocks over several nodes: one message a node.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .for_several_nodes = true,
    .record = dual(scatter_leaders),
    .claims = dual_claims_over_nodes<scatter_leaders>,
};

}  // namespace tutti::algorithms
