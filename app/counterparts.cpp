#include "app/counterparts.hpp"

#include <algorithm>

#include "base/integers.hpp"

namespace tutti::app {
namespace {

using enum Collective;
using enum Applies;

constexpr Counterpart openmpi[] = {
    {all_gather, "bruck", "MPI_Allgather", 0, 2, "bruck"},
    {all_gather, "recursive-doubling", "MPI_Allgather", 0, 3, "recursive_doubling"},
    {all_gather, "ring", "MPI_Allgather", 0, 4, "ring"},
    {all_gather, "neighbour-exchange", "MPI_Allgather", 0, 5, "neighbor"},
    {all_reduce, "recursive-doubling", "MPI_Allreduce", 2, 3, "recursive_doubling"},
    {all_reduce, "ring", "MPI_Allreduce", 2, 4, "ring"},
    {all_reduce, "rabenseifner", "MPI_Allreduce", 2, 6, "rabenseifner"},
    {all_to_all, "linear", "MPI_Alltoall", 3, 1, "linear"},
    {all_to_all, "pairwise-modular", "MPI_Alltoall", 3, 2, "pairwise"},
    {all_to_all, "bruck", "MPI_Alltoall", 3, 3, "modified_bruck"},
    {barrier, "dissemination", "MPI_Barrier", 6, 4, "bruck"},
    {barrier, "tree", "MPI_Barrier", 6, 6, "tree"},
    {broadcast, "linear", "MPI_Bcast", 7, 1, "basic_linear"},
    {broadcast, "chain", "MPI_Bcast", 7, 3, "pipeline"},
    {broadcast, "binomial", "MPI_Bcast", 7, 6, "binomial"},
    {broadcast, "scatter-all-gather-doubling", "MPI_Bcast", 7, 8, "scatter_allgather"},
    {broadcast, "scatter-all-gather", "MPI_Bcast", 7, 9, "scatter_allgather_ring"},
    {gather, "linear", "MPI_Gather", 9, 1, "basic_linear"},
    {gather, "binomial", "MPI_Gather", 9, 2, "binomial"},
    {reduce, "linear", "MPI_Reduce", 11, 1, "linear"},
    {reduce, "chain", "MPI_Reduce", 11, 3, "pipeline"},
    {reduce, "binomial", "MPI_Reduce", 11, 5, "binomial"},
    {reduce, "reduce-scatter-gather-halving", "MPI_Reduce", 11, 7, "rabenseifner"},
    {reduce_scatter, "recursive-halving", "MPI_Reduce_scatter", 12, 2, "recursive_halving"},
    {reduce_scatter, "ring", "MPI_Reduce_scatter", 12, 3, "ring"},
    {scatter, "linear", "MPI_Scatter", 15, 1, "basic_linear"},
    {scatter, "binomial", "MPI_Scatter", 15, 2, "binomial"},
};

constexpr Counterpart mpich[] = {
    {all_gather, "bruck", "allgather", 0, 0, "MPIR_Allgather_intra_brucks"},
    {all_gather, "recursive-doubling", "allgather", 0, 0, "MPIR_Allgather_intra_recursive_doubling"},
    {all_gather, "ring", "allgather", 0, 0, "MPIR_Allgather_intra_ring"},
    {all_reduce, "recursive-doubling", "allreduce", 0, 0, "MPIR_Allreduce_intra_recursive_doubling"},
    {all_reduce, "rabenseifner", "allreduce", 0, 0, "MPIR_Allreduce_intra_reduce_scatter_allgather", built_in_operator},
    {all_to_all, "linear", "alltoall", 0, 0, "MPIR_Alltoall_intra_scattered"},
    {all_to_all, "pairwise", "alltoall", 0, 0, "MPIR_Alltoall_intra_pairwise"},
    {all_to_all, "pairwise-modular", "alltoall", 0, 0, "MPIR_Alltoall_intra_pairwise", off_powers_of_two},
    {all_to_all, "bruck", "alltoall", 0, 0, "MPIR_Alltoall_intra_brucks"},
    {barrier, "dissemination", "barrier", 0, 0, "MPIR_Barrier_intra_dissemination"},
    {broadcast, "binomial", "bcast", 0, 0, "MPIR_Bcast_intra_binomial"},
    {broadcast, "scatter-all-gather-doubling", "bcast", 0, 0, "MPIR_Bcast_intra_scatter_recursive_doubling_allgather"},
    {broadcast, "scatter-all-gather", "bcast", 0, 0, "MPIR_Bcast_intra_scatter_ring_allgather"},
    {gather, "binomial", "gather", 0, 0, "MPIR_Gather_intra_binomial"},
    {reduce, "binomial", "reduce", 0, 0, "MPIR_Reduce_intra_binomial"},
    {reduce, "reduce-scatter-gather-halving", "reduce", 0, 0, "MPIR_Reduce_intra_reduce_scatter_gather",
     built_in_operator},
    {reduce_scatter, "linear", "reduce_scatter_block", 0, 0, "MPIR_Reduce_scatter_block_intra_pairwise"},
    {reduce_scatter, "recursive-halving", "reduce_scatter_block", 0, 0,
     "MPIR_Reduce_scatter_block_intra_recursive_halving"},
    {scatter, "binomial", "scatter", 0, 0, "MPIR_Scatter_intra_binomial"},
};

}  // namespace

std::span<const Counterpart> openmpi_counterparts() { return openmpi; }
std::span<const Counterpart> mpich_counterparts() { return mpich; }

const Counterpart* counterpart_of(std::span<const Counterpart> counterparts, const Algorithm& algorithm, int ranks) {
  const auto found = std::find_if(counterparts.begin(), counterparts.end(), [&](const Counterpart& each) {
    const bool applies = each.applies != off_powers_of_two || !is_power_of_two(ranks);
    return applies && each.collective == algorithm.collective && each.algorithm == algorithm.name;
  });
  return found == counterparts.end() ? nullptr : &*found;
}

}  // namespace tutti::app
