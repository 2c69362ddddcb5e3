/// @file
/// Functions from algorithms to algorithms. Most of the catalogue is made with them.
///
/// They take algorithms by reference and look at them only when recording, so that global algorithms may be initialized
/// with them in any order; the algorithms must outlive the result.
#pragma once

#include "schedule/algorithm.hpp"

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
Claims dual_claims(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters);

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

/// The algorithm within each line of a grid, dimension after dimension: with 2 ranks a dimension, the hypercube's
/// algorithms.
///
/// broadcast goes along the fastest dimension first (the root's row, then the columns); for the dual with a
/// non-commutative operator along the slowest first, so that neighbouring ranks are combined first. scatter goes along
/// the slowest first and all-gather along the fastest first, so that what a line shares is contiguous. all-to-all goes
/// along the fastest first, blocks grouped by the coordinate of their destination. The grid is
/// me.parameters().grid_for(p); a line has none.
///
/// Needs      an algorithm for broadcast, scatter, all-gather or all-to-all that works for every extent of the grid.
/// Source     Grama et al., §4.1 to §4.5: the mesh algorithms.
Record along_dimensions(const Algorithm& line);

/// The algorithm over segments of the message, overlapped: segment s runs its step t in slot s + t. There are
/// me.parameters().segments_for(m).
/// Needs      an algorithm for broadcast.
Record pipelined(const Algorithm& algorithm);

}  // namespace tutti
