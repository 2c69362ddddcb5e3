/// @file
/// All-reduce on a mesh: a reduce-scatter, then an all-gather of the parts, each along one dimension after the other.
///
/// The message is cut into p parts, in groups of a row's. Rings in the columns first reduce whole groups to their rows,
/// then rings in the rows reduce parts to their ranks; the all-gather goes back the same way:
///
///     0 1    columns    0 <-> 2, 1 <-> 3        parts 01 and 23 of the sums        p = 4
///     2 3    rows       0 <-> 1, 2 <-> 3        parts 0, 1, 2, 3
///            rows       0 <-> 1, 2 <-> 3        parts 01 and 23 of the result
///            columns    0 <-> 2, 1 <-> 3        all
///
/// Needs     any p >= 1, any grid: me.grid_for(p), of any number of dimensions; a commutative operator,
///           since the sums begin at a different rank for every part.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   2 p (r + c - 2) messages on r rows and c columns, 2 (p - 1) m bytes.
/// Time      2 (r + c - 2) ts + 2 m tw (p - 1)/p, also store-and-forward on a mesh that wraps around.
/// Optimal   in bytes for each rank; fewer rounds than ring.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.2, both
///           ways.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_mesh{
    .collective = Collective::all_reduce,
    .name = "mesh",
    .aliases = {"torus"},
    .summary = "A reduce-scatter along the columns, then the rows, and an all-gather back the same way.",
    .when = "On a mesh or torus, and for long messages among many ranks.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.2",
    .needs = {Need::commutative_operator},
    .grid_symmetry = &Parameters::grid_for,
    .record = then(reduce_scatter_mesh, all_gather_mesh),
    .claims = then_claims<reduce_scatter_mesh, all_gather_mesh>,
};

}  // namespace tutti::algorithms
