/// @file
/// Reduce: the duals of broadcast. All inputs of m bytes are combined element by element at the root.
///
/// Needs     any p >= 1, any root; operators that are not commutative, too, unless said otherwise.
/// Buffers   `input` on every rank, read where it lies; partial results grow in the root's `output`, elsewhere in
///           scratch at the same positions. Leaves of the tree need none.
/// Traffic   messages and bytes of the broadcast.
/// Time      rounds and time of the broadcast, and m tc for each combination; see in_rank_order().
/// Optimal   where the broadcast is: binomial in rounds, scatter-and-all-gather's dual in bytes within a factor 2.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1; each
///           row names its own.

#include "algorithms/reduce/reduce.hpp"

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/record/stage.hpp"

namespace tutti::algorithms {
namespace {

// Trees over VirtualRanks combine in rank order for every root where p is a power of two.
bool takes_detour(const Problem& problem, Numbering numbering) {
  const bool in_order = numbering == Numbering::virtual_ranks && is_power_of_two(problem.ranks);
  return !problem.commutative && problem.root != 0 && !in_order;
}

}  // namespace

Record in_rank_order(Record reduce, Numbering numbering) {
  return [reduce = std::move(reduce), numbering](Script& me, const Problem& problem) {
    if (!takes_detour(problem, numbering)) return reduce(me, problem);
    Stage stage = stage_of_all(me, problem);
    stage.problem.root = 0;
    stage.problem.in_place = false;
    stage.input = {me.input()};
    if (me.rank() == 0) stage.output = {me.scratch(0, problem.count)};
    stage.scratch = {me.scratch(0, problem.count)};
    perform(me, reduce, stage);
    if (me.rank() == 0) me.send(me.scratch(0, problem.count), problem.root);
    if (me.rank() == problem.root) me.receive(me.output(), 0);
    me.wait();
  };
}

Claims in_rank_order(const Claims& claims, const Problem& problem, Numbering numbering) {
  if (!takes_detour(problem, numbering)) return claims;
  return {.rounds = claims.rounds + 1, .messages = claims.messages + 1, .elements = claims.elements + problem.count};
}

const Algorithm reduce_linear{
    .collective = Collective::reduce,
    .name = "linear",
    .summary = "The root takes in every other rank's input itself, nearest ranks first, one rank after the other.",
    .when = "Few ranks and a root that cannot hold more than one message at a time; otherwise flat.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1",
    .record = dual(broadcast_linear),
    .claims = dual_claims<broadcast_linear>,
};

const Algorithm reduce_binomial{
    .collective = Collective::reduce,
    .name = "binomial",
    .aliases = {"hypercube", "recursive-halving", "tree"},
    .summary = "Ranks are combined in pairs, the pairs in pairs, along a binomial tree.",
    .when = "Short messages: m well under ts/tw. No algorithm needs fewer rounds.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1",
    .record = in_rank_order(dual(broadcast_binomial), Numbering::virtual_ranks),
    .claims = dual_claims_in_rank_order<broadcast_binomial, Numbering::virtual_ranks>,
};

const Algorithm reduce_ring{
    .collective = Collective::reduce,
    .name = "ring",
    .aliases = {"ring-bidirectional", "linear-array"},
    .summary = "Partial results travel to the root from both ways round a ring.",
    .when = "Rings and linear arrays that store and forward.",
    .source = "V. Kumar, A. Grama, A. Gupta, G. Karypis, Introduction to Parallel Computing, 1st ed., 1994, §3.2",
    .record = in_rank_order(dual(broadcast_ring)),
    .claims = dual_claims_in_rank_order<broadcast_ring>,
};

const Algorithm reduce_mesh{
    .collective = Collective::reduce,
    .name = "mesh",
    .aliases = {"torus"},
    .summary =
        "Along every column to the root's row, then along that row; rows first where the operator is not commutative.",
    .when = "Meshes and tori that store and forward.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1.2",
    .record = in_rank_order(dual(broadcast_mesh)),
    .claims = dual_claims_in_rank_order<broadcast_mesh>,
};

const Algorithm reduce_chain{
    .collective = Collective::reduce,
    .name = "chain",
    .aliases = {"chain-pipelined", "pipeline"},
    .summary = "Segments of partial results follow one another up a chain of all ranks.",
    .when = "Long messages over few ranks, and linear arrays.",
    .source = "J. Watts, R. van de Geijn, A Pipelined Broadcast for Multidimensional Meshes, 1995",
    .record = in_rank_order(dual(broadcast_chain)),
    .claims = dual_claims_in_rank_order<broadcast_chain>,
};

const Algorithm reduce_n_block{
    .collective = Collective::reduce,
    .name = "n-block",
    .aliases = {"circulant", "circulant-pipelined"},
    .summary = "The n-block broadcast backwards: in every round each rank sends one segment's partial result.",
    .when = "Middle and long messages over any number of ranks: as few rounds as its broadcast.",
    .source =
        "J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast, "
        "Reduction and All-Reduction, 2024",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = dual(broadcast_n_block),
    .claims = dual_claims<broadcast_n_block>,
};

const Algorithm reduce_k_nomial{
    .collective = Collective::reduce,
    .name = "k-nomial",
    .aliases = {"knomial"},
    .summary = "Ranks are combined k at a time, and these again, along a tree of radix k.",
    .when = "Short messages over several nodes whose ranks have several messages under way at once.",
    .source = "M. Wilkins et al., Generalized Collective Algorithms for the Exascale Era, 2023, §3",
    .for_several_nodes = true,
    .record = in_rank_order(dual(broadcast_k_nomial)),
    .claims = dual_claims_in_rank_order<broadcast_k_nomial>,
};

const Algorithm reduce_bine{
    .collective = Collective::reduce,
    .name = "bine",
    .aliases = {"binomial-negabinary"},
    .summary = "Ranks are combined in pairs, the pairs in pairs, along a tree whose edges are a third shorter.",
    .when = "Short messages on rings and tori, and where groups of near ranks share links to others.",
    .source =
        "D. De Sensi et al., Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality, 2025",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .for_several_nodes = true,
    .record = dual(broadcast_bine),
    .claims = dual_claims<broadcast_bine>,
};

const Algorithm reduce_two_tree{
    .collective = Collective::reduce,
    .name = "two-tree",
    .aliases = {"double-binary-tree"},
    .summary = "Segments of partial results go by turns up two binary trees, in one of which each rank is a leaf.",
    .when = "Long messages over many ranks, also with operators that are not commutative.",
    .source =
        "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009",
    .record = in_rank_order(dual(broadcast_two_tree)),
    .claims = dual_claims_in_rank_order<broadcast_two_tree>,
};

const Algorithm reduce_disjoint_trees{
    .collective = Collective::reduce,
    .name = "disjoint-trees",
    .aliases = {"edge-disjoint-spanning-binomial-trees", "esbt"},
    .summary = "Segments of partial results go by turns up log2 p binomial trees of a hypercube that share no edge.",
    .when = "Long messages on hypercubes: all messages go one link, and no two share one.",
    .source = "S. L. Johnsson, C.-T. Ho, Optimum Broadcasting and Personalized Communication in Hypercubes, 1989, §3",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .for_several_nodes = true,
    .record = dual(broadcast_disjoint_trees),
    .claims = dual_claims<broadcast_disjoint_trees>,
};

const Algorithm reduce_leaders{
    .collective = Collective::reduce,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "Every node's ranks are combined along a binomial tree, then one rank a node along another.",
    .when = "Short messages over several nodes: one message a node goes to another.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .needs = {Need::order_kept_over_nodes},
    .for_several_nodes = true,
    .record = in_rank_order(dual(broadcast_leaders)),
    .claims =
        [](const Problem& problem, const Parameters& parameters, const Layout& layout) {
          return in_rank_order(dual_claims(broadcast_leaders, problem, parameters, layout), problem);
        },
};

}  // namespace tutti::algorithms
