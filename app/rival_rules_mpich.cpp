#include "app/rival_rules.hpp"

namespace tutti::app {
namespace {

using enum Collective;
using enum RivalNeed;

// generic.json of MPICH 4.0.
constexpr RivalRow rows_of_mpich[] = {
    {broadcast, 8, {{{any_bytes, "MPIR_Bcast_intra_binomial"}}}},
    {broadcast,
     any_ranks,
     {{{12289, "MPIR_Bcast_intra_binomial"},
       {524289, "MPIR_Bcast_intra_scatter_recursive_doubling_allgather"},
       {any_bytes, "MPIR_Bcast_intra_scatter_ring_allgather"}}},
     power_of_two},
    {broadcast,
     any_ranks,
     {{{12289, "MPIR_Bcast_intra_binomial"}, {any_bytes, "MPIR_Bcast_intra_scatter_ring_allgather"}}}},
    {reduce, any_ranks, {{{any_bytes, "MPIR_Reduce_intra_binomial"}}}, few_elements},
    {reduce,
     any_ranks,
     {{{2049, "MPIR_Reduce_intra_binomial"}, {any_bytes, "MPIR_Reduce_intra_reduce_scatter_gather"}}}},
    {all_reduce, any_ranks, {{{any_bytes, "MPIR_Allreduce_intra_recursive_doubling"}}}, few_elements},
    {all_reduce,
     any_ranks,
     {{{9, "MPIR_Allreduce_intra_recursive_doubling"}, {any_bytes, "MPIR_Allreduce_intra_reduce_scatter_allgather"}}}},
    {all_gather,
     any_ranks,
     {{{524288, "MPIR_Allgather_intra_recursive_doubling"}, {any_bytes, "MPIR_Allgather_intra_ring"}}},
     power_of_two},
    {all_gather, any_ranks, {{{81920, "MPIR_Allgather_intra_brucks"}, {any_bytes, "MPIR_Allgather_intra_ring"}}}},
    {all_to_all, 8, {{{32769, "MPIR_Alltoall_intra_scattered"}, {any_bytes, "MPIR_Alltoall_intra_pairwise"}}}},
    {all_to_all,
     any_ranks,
     {{{257, "MPIR_Alltoall_intra_brucks"},
       {32769, "MPIR_Alltoall_intra_scattered"},
       {any_bytes, "MPIR_Alltoall_intra_pairwise"}}}},
    {barrier, any_ranks, {{{any_bytes, "MPIR_Barrier_intra_dissemination"}}}},
    {gather, any_ranks, {{{any_bytes, "MPIR_Gather_intra_binomial"}}}},
    {scatter, any_ranks, {{{any_bytes, "MPIR_Scatter_intra_binomial"}}}},
    {reduce_scatter,
     any_ranks,
     {{{524288, "MPIR_Reduce_scatter_block_intra_recursive_halving"},
       {any_bytes, "MPIR_Reduce_scatter_block_intra_pairwise"}}}},
};

}  // namespace

std::span<const RivalRow> mpich_rows() { return rows_of_mpich; }

}  // namespace tutti::app
