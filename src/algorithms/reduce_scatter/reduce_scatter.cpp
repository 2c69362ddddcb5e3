/// @file
/// Reduce-scatter: the duals of all-gather. The inputs of p blocks are combined, and rank r ends with block r of the
/// result.
///
/// Needs     as the all-gather it is the dual of; and a commutative operator, because partial results grow round the
///           ranks or across subcubes and not from neighbour to neighbour. `reduce-then-scatter` takes any operator,
///           and so does `direct`, which is no dual: see direct.cpp.
/// Buffers   `input`, p blocks, read where they lie; `output`, one block, in which the rank's own block grows; scratch
///           for partial results of other blocks, at the positions of the input.
/// Traffic   messages and bytes of the all-gather.
/// Time      rounds and time of the all-gather, and tc for each byte received.
/// Optimal   where the all-gather is: in bytes, but for `reduce-then-scatter`.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2:
///           all-to-all reduction; each row names its own.

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/symmetry/symmetric_algorithm.hpp"

namespace tutti::algorithms {

const Algorithm reduce_scatter_linear{
    .collective = Collective::reduce_scatter,
    .name = "linear",
    .summary = "Every rank takes in its block of every other rank's input, one rank after the other.",
    .when = "Ranks that can hold one message at a time; otherwise direct.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §5",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::rotation,
    .record = dual(all_gather_linear),
    .claims = dual_claims<all_gather_linear>,
};

const Algorithm reduce_scatter_ring{
    .collective = Collective::reduce_scatter,
    .name = "ring",
    .aliases = {"bucket"},
    .summary = "Partial results travel round a ring, each rank adding its own, until they reach their owner.",
    .when = "Long blocks, and networks where only neighbours are near.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.1",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::rotation,
    .record = dual(all_gather_ring),
    .claims = dual_claims<all_gather_ring>,
};

const Algorithm reduce_scatter_recursive_halving{
    .collective = Collective::reduce_scatter,
    .name = "recursive-halving",
    .aliases = {"hypercube"},
    .summary =
        "Ranks whose numbers differ in one bit, the highest first, swap the halves that the other needs, and add.",
    .when = "Short and middle blocks where p is a power of two.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.3",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::exchange,
    .record = dual(all_gather_recursive_doubling),
    .claims = dual_claims<all_gather_recursive_doubling>,
};

const Algorithm reduce_scatter_bruck{
    .collective = Collective::reduce_scatter,
    .name = "bruck",
    .summary = "Bruck's all-gather backwards: halving for any number of ranks.",
    .when = "Short blocks and any number of ranks.",
    .source =
        "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient Algorithms for All-to-All Communications "
        "in Multiport Message-Passing Systems, 1997, §4, reversed",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::rotation,
    .record = dual(all_gather_bruck),
    .claims = dual_claims<all_gather_bruck>,
};

const Algorithm reduce_scatter_circulant{
    .collective = Collective::reduce_scatter,
    .name = "circulant",
    .summary = "Halving for any number of ranks: each round sends and adds half of what is left, rounded down.",
    .when = "Short blocks and any number of ranks.",
    .source = "J. L. Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::rotation,
    .record = dual(all_gather_circulant),
    .claims = dual_claims<all_gather_circulant>,
};

const Algorithm reduce_scatter_k_ring{
    .collective = Collective::reduce_scatter,
    .name = "k-ring",
    .summary = "Partial results go round rings of k ranks, and from each rank to its like in the next ring.",
    .when = "Long blocks over several nodes of k ranks: all ranks of a node send out of it, each every k-th message.",
    .source = "M. Wilkins et al., Generalized Collective Algorithms for the Exascale Era, 2023, §3, reversed",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .grid_symmetry = groups_of_k_ring,
    .record = dual(all_gather_k_ring),
    .claims = dual_claims<all_gather_k_ring>,
};

const Algorithm reduce_scatter_pat{
    .collective = Collective::reduce_scatter,
    .name = "pat",
    .aliases = {"parallel-aggregated-trees"},
    .summary = "Partial results go up binomial trees, one a rank, in messages of a few blocks, the farthest hops last.",
    .when = "Short and middle blocks over many nodes: few rounds, and few and short messages over long ways.",
    .source = "S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = SymmetricAlgorithm{RankSymmetry::Kind::rotation, dual(all_gather_pat)},
    .claims = dual_claims<all_gather_pat>,
};

const Algorithm reduce_scatter_bine{
    .collective = Collective::reduce_scatter,
    .name = "bine",
    .aliases = {"binomial-negabinary"},
    .summary = "Recursive halving of neighbouring blocks with partners to both sides, a third as far away.",
    .when = "Short blocks on rings and tori, and where groups of near ranks share links to others.",
    .source =
        "D. De Sensi et al., Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality, 2025",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::reflection,
    .record = dual(all_gather_bine),
    .claims = dual_claims<all_gather_bine>,
};

const Algorithm reduce_scatter_mesh_multi_port{
    .collective = Collective::reduce_scatter,
    .name = "mesh-multi-port",
    .aliases = {"bucket-multi-port"},
    .summary = "The mesh's reduce-scatter of parts of the blocks, one part for each link of a rank, all at once.",
    .when = "Long blocks on tori of equal extents whose ranks use all of their links at a time.",
    .source = "P. Sack, W. Gropp, Collective algorithms for multiported torus networks, 2015, §4",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .grid_symmetry = &Parameters::grid_for,
    .record = dual(all_gather_mesh_multi_port),
    .claims = dual_claims<all_gather_mesh_multi_port>,
};

const Algorithm reduce_scatter_mesh_pat{
    .collective = Collective::reduce_scatter,
    .name = "mesh-pat",
    .summary = "Parallel aggregated trees in every column, on whole rows, then in every row, both reversed.",
    .when = "Short and middle blocks on tori: few rounds, and long ways for few blocks alone.",
    .source = "S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .grid_symmetry = &Parameters::grid_for,
    .record = dual(all_gather_mesh_pat),
    .claims = dual_claims<all_gather_mesh_pat>,
};

const Algorithm reduce_scatter_n_block{
    .collective = Collective::reduce_scatter,
    .name = "n-block",
    .aliases = {"circulant-pipelined"},
    .summary = "p n-block reductions at once on a circulant graph, one for each rank's block.",
    .when = "Blocks of very different sizes: each round moves about the n-th part of all of them.",
    .source =
        "J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast, "
        "Reduction and All-Reduction, 2024",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = dual(all_gather_n_block),
    .claims = dual_claims<all_gather_n_block>,
};

const Algorithm reduce_scatter_swing{
    .collective = Collective::reduce_scatter,
    .name = "swing",
    .summary = "Recursive halving with partners that swing to the right and to the left, a third as far away.",
    .when = "Short and middle blocks on rings where p is a power of two.",
    .source =
        "D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce, 2024",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::reflection,
    .record = SymmetricAlgorithm{RankSymmetry::Kind::reflection, dual(all_gather_swing)},
    .claims = dual_claims<all_gather_swing>,
};

const Algorithm reduce_scatter_neighbour_exchange{
    .collective = Collective::reduce_scatter,
    .name = "neighbour-exchange",
    .aliases = {"neighbor-exchange"},
    .summary = "Neighbours swap and add pairs of partial results, left and right by turns.",
    .when = "Middle and long blocks on rings.",
    .source =
        "J. Chen, L. Zhang, Y. Zhang, W. Yuan, Performance Evaluation of Allgather Algorithms on Terascale Linux "
        "Cluster with Fast Ethernet, 2005 (even numbers of ranks), reversed",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::reflection,
    .record = dual(all_gather_neighbour_exchange),
    .claims = dual_claims<all_gather_neighbour_exchange>,
};

const Algorithm reduce_scatter_mesh{
    .collective = Collective::reduce_scatter,
    .name = "mesh",
    .aliases = {"torus"},
    .summary = "The ring's reduce-scatter of whole rows in every column, then of blocks in every row.",
    .when = "Meshes and tori, and many ranks: about 2 sqrt(p) rounds instead of p.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.2",
    .needs = {Need::commutative_operator},
    .grid_symmetry = &Parameters::grid_for,
    .record = dual(all_gather_mesh),
    .claims = dual_claims<all_gather_mesh>,
};

const Algorithm reduce_scatter_reduce_then_scatter{
    .collective = Collective::reduce_scatter,
    .name = "reduce-then-scatter",
    .aliases = {"gather-broadcast", "tree"},
    .summary = "A binomial reduce of all blocks to rank 0, then a binomial scatter of the result.",
    .when = "Operators that are not commutative, and very short blocks.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §6",
    .record = then(reduce_binomial, scatter_binomial),
    .claims = then_claims<reduce_binomial, scatter_binomial>,
};

const Algorithm reduce_scatter_leaders{
    .collective = Collective::reduce_scatter,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary =
        "Every node reduces all blocks to one rank; these exchange and add what their nodes want, and scatter it.",
    .when = "Short blocks over several nodes: one rank a node talks to others.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = dual(all_gather_leaders),
    .claims = dual_claims_over_nodes<all_gather_leaders>,
};

const Algorithm reduce_scatter_multi_leader{
    .collective = Collective::reduce_scatter,
    .name = "multi-leader",
    .aliases = {"multi-lane"},
    .summary = "A reduce-scatter by places on every node, then Bruck's backwards among ranks of the same place.",
    .when = "Long blocks over several nodes: each crosses every other node's link once.",
    .source =
        "K. Kandalla, H. Subramoni, G. Santhanaraman, M. Koop, D. K. Panda, Designing multi-leader-based allgather "
        "algorithms for multi-core clusters, 2009",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = dual(all_gather_multi_leader),
    .claims = dual_claims_over_nodes<all_gather_multi_leader>,
};

}  // namespace tutti::algorithms
