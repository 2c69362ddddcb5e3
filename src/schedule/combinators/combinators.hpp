/// @file
/// Functions from algorithms to algorithms. Most of the catalogue is made with them.
///
/// Combinators take algorithms by reference and look at them only when recording, so that global algorithms may be
/// initialized with them in any order; the algorithms must outlive the result.
#pragma once

#include "schedule/model/algorithm.hpp"

namespace tutti {

/// Reversed in time, messages turned round: reduce from broadcast, gather from scatter, reduce-scatter from all-gather.
///
/// The reversal is an adjoint: where the algorithm sends x, its dual receives into x, adding to what x already holds
/// (receive_reduce) or filling it where it holds nothing; where the algorithm receives into x, its dual sends x, which
/// is then spent. A rank's own contribution counts as held from the start, so input is read where it lies and not
/// copied.
///
/// Needs      an algorithm for broadcast, scatter or all-gather; in the last step that uses a place it must hold one
///            value. Throws `Error(unsupported)` where it has chains.
/// Buffers    partial results of a broadcast's or all-gather's dual lie in scratch at the positions of the message.
/// Order      what a higher rank sends is combined on the right: right for a non-commutative operator where every rank
///            takes in neighbouring ranks, nearest first. The verifier decides.
/// Traffic    messages and elements of the algorithm; its rounds too, unless one step sent the same place several
///            times.
/// Source     the duality: A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003,
///            §4.1.
Record dual(const Algorithm& algorithm);
/// The claims of a dual whose rounds, too, are those of the algorithm.
Claims dual_claims(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters,
                   const Layout& layout = {});
/// The claims of one algorithm's dual, as its row of the catalogue has them.
template <const Algorithm& algorithm>
Claims dual_claims(const Problem& problem, const Parameters& parameters) {
  return dual_claims(algorithm, problem, parameters);
}
/// Claims of the dual of an algorithm whose claims look at the layout.
template <const Algorithm& algorithm>
Claims dual_claims_over_nodes(const Problem& problem, const Parameters& parameters, const Layout& layout) {
  return dual_claims(algorithm, problem, parameters, layout);
}

/// One after the other. What is made follows from what is joined:
///
///     scatter, all-gather        -> broadcast           reduce-scatter, gather -> reduce
///     reduce-scatter, all-gather -> all-reduce          gather, broadcast      -> all-gather
///     reduce, broadcast          -> all-reduce          reduce, scatter        -> reduce-scatter
///
/// A whole message is cut into p parts between the two, as even as can be. What is in between lies in the output where
/// that has room, in scratch otherwise. Where the whole has no root, the two meet at rank 0.
Record then(const Algorithm& first, const Algorithm& second);
/// Claims of the two added: exact where the second cannot begin before the first has ended on the longest chain.
Claims then_claims(const Algorithm& first, const Algorithm& second, const Problem& problem,
                   const Parameters& parameters);
template <const Algorithm& first, const Algorithm& second>
Claims then_claims(const Problem& problem, const Parameters& parameters) {
  return then_claims(first, second, problem, parameters);
}

/// The algorithm within each line of a grid, dimension after dimension: with 2 ranks a dimension, the hypercube's
/// algorithms.
///
/// broadcast goes along the fastest dimension first (the root's row, then the columns); for the dual with a
/// non-commutative operator along the slowest first, so that neighbouring ranks are combined first. scatter goes along
/// the slowest first and all-gather along the fastest first, so that what a line shares is contiguous. all-to-all goes
/// along the fastest first, blocks grouped by the coordinate of their destination. The grid is
/// me.grid_for(p); a line has none.
///
/// Needs      an algorithm for broadcast, scatter, all-gather or all-to-all that works for every extent of the grid.
/// Source     Grama et al., §4.1 to §4.5: the mesh algorithms.
Record along_dimensions(const Algorithm& line);

/// The algorithm over segments of the message, overlapped: segment s runs its step t in slot s + t. There are
/// me.segments_for(m).
/// Needs      an algorithm for broadcast.
Record pipelined(const Algorithm& algorithm);

/// Work inside every node: one algorithm, or one before and one after the work across nodes.
struct InsideNodes {
  InsideNodes(const Algorithm& only) : first(&only), last(&only) {}  // NOLINT: an algorithm is all that is done inside
  InsideNodes(const Algorithm& before, const Algorithm& after) : first(&before), last(&after) {}

  const Algorithm* first;
  const Algorithm* last;
};

/// One algorithm inside the nodes of me.layout(), another across them, among leaders: on every node one rank (below:
/// one), or as many as the smallest node has (many), each of which leads a run of its node's ranks, and of the message
/// a part. In this way as few elements as can be go between nodes, and with many leaders no rank sends more of them
/// than it must: of a node of s ranks each sends the s-th part.
///
///     made             inside                        across            leaders
///     broadcast        broadcast                     broadcast         one: the root on its node
///     broadcast        scatter, all-gather           broadcast         many
///     reduce           reduce-scatter, gather        reduce            many
///     all-reduce       reduce, broadcast             all-reduce        one
///     all-reduce       reduce-scatter, all-gather    all-reduce        many
///     all-gather       gather, broadcast             all-gather        one
///     all-gather       gather, all-gather            all-gather        many
///     scatter          scatter                       scatter           one: the root on its node
///     scan             scan, broadcast               exclusive-scan    one: its node's last rank
///     exclusive-scan   exclusive-scan, broadcast     exclusive-scan    one: the same
///     all-to-all       all-to-all, scatter           all-to-all        many
///     barrier          half a barrier each           barrier           one
///
/// Nodes may have any numbers of ranks, in any order: on one node, what is done inside is all that is done, and where
/// every rank has a node of its own, what is done across. On one node the ranks are split by its NUMA domains, on one
/// domain by its cores (Layout::outermost_level()): `inside` may be hierarchical again, over the level below.
///
/// Order      ranks are combined node after node: the order of ranks where nodes hold consecutive ranks. Where they do
///            not, in a scan or where the operator is not commutative, all ranks count as one node.
/// Source     N. T. Karonis, B. R. de Supinski, I. Foster, W. Gropp, E. Lusk, J. Bresnahan, Exploiting hierarchy in
///            parallel computer networks to optimize collective operation performance, IPDPS, 2000; many leaders:
///            K. Kandalla, H. Subramoni, G. Santhanaraman, M. Koop, D. K. Panda, Designing multi-leader-based allgather
///            algorithms for multi-core clusters, IPDPS workshops, 2009; J. L. Träff, S. Hunold, Decomposing MPI
///            collectives for exploiting multi-lane communication, CLUSTER, 2020.
Record hierarchical(InsideNodes inside, const Algorithm& across);
/// Claims of all that is done: messages and elements exactly where no stage has an empty block, and as many rounds as
/// the slowest node has inside and those across one after the other: exactly where nodes are alike, and at most that
/// elsewhere. Stages have empty blocks where nodes have more ranks than leaders that collect blocks, or parts, there.
Claims hierarchical_claims(InsideNodes inside, const Algorithm& across, const Problem& problem,
                           const Parameters& parameters, const Layout& layout);
template <const Algorithm& inside, const Algorithm& across>
Claims hierarchical_claims(const Problem& problem, const Parameters& parameters, const Layout& layout) {
  return hierarchical_claims(inside, across, problem, parameters, layout);
}
template <const Algorithm& before, const Algorithm& after, const Algorithm& across>
Claims hierarchical_claims(const Problem& problem, const Parameters& parameters, const Layout& layout) {
  return hierarchical_claims({before, after}, across, problem, parameters, layout);
}

}  // namespace tutti
