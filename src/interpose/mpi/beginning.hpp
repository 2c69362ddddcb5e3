/// @file
/// The functions of MPI that begin a collective and make a request of it: which program calls how many of them is
/// counted where it is checked.
#pragma once

// NOLINTBEGIN: a list that no function can make
/// Each of them: its name after MPI_, in letters of both cases; its number of arguments in C, and which ones are the
/// communicator and the request; in Fortran the number, and which one is the error code; and whom it needs (Needed).
#define TUTTI_BEGINNINGS(BEGINS)                                   \
  BEGINS(Ibarrier, ibarrier, IBARRIER, 2, a, b, 3, c, of_all())    \
  BEGINS(Comm_idup, comm_idup, COMM_IDUP, 3, a, c, 4, d, of_all()) \
  TUTTI_BEGINNINGS_WITH_COUNTS(BEGINS, , , )
/// Those of them that MPICH has with counts of either width.
#define TUTTI_BEGINNINGS_WITH_COUNTS(BEGINS, C, LOWER, UPPER)                                                         \
  BEGINS(Ibcast##C, ibcast##LOWER, IBCAST##UPPER, 6, e, f, 7, g, of_root(d))                                          \
  BEGINS(Igather##C, igather##LOWER, IGATHER##UPPER, 9, h, i, 10, j, of_all_by_root(g))                               \
  BEGINS(Igatherv##C, igatherv##LOWER, IGATHERV##UPPER, 10, i, j, 11, k, of_unknown())                                \
  BEGINS(Iscatter##C, iscatter##LOWER, ISCATTER##UPPER, 9, h, i, 10, j, of_root(g))                                   \
  BEGINS(Iscatterv##C, iscatterv##LOWER, ISCATTERV##UPPER, 10, i, j, 11, k, of_root(h))                               \
  BEGINS(Iallgather##C, iallgather##LOWER, IALLGATHER##UPPER, 8, g, h, 9, i, of_all())                                \
  BEGINS(Iallgatherv##C, iallgatherv##LOWER, IALLGATHERV##UPPER, 9, h, i, 10, j, of_unknown())                        \
  BEGINS(Ialltoall##C, ialltoall##LOWER, IALLTOALL##UPPER, 8, g, h, 9, i, of_all())                                   \
  BEGINS(Ialltoallv##C, ialltoallv##LOWER, IALLTOALLV##UPPER, 10, i, j, 11, k, of_unknown())                          \
  BEGINS(Ialltoallw##C, ialltoallw##LOWER, IALLTOALLW##UPPER, 10, i, j, 11, k, of_unknown())                          \
  BEGINS(Ireduce##C, ireduce##LOWER, IREDUCE##UPPER, 8, g, h, 9, i, of_all_by_root(f))                                \
  BEGINS(Iallreduce##C, iallreduce##LOWER, IALLREDUCE##UPPER, 7, f, g, 8, h, of_all())                                \
  BEGINS(Ireduce_scatter##C, ireduce_scatter##LOWER, IREDUCE_SCATTER##UPPER, 7, f, g, 8, h, of_unknown())             \
  BEGINS(Ireduce_scatter_block##C, ireduce_scatter_block##LOWER, IREDUCE_SCATTER_BLOCK##UPPER, 7, f, g, 8, h,         \
         of_all())                                                                                                    \
  BEGINS(Iscan##C, iscan##LOWER, ISCAN##UPPER, 7, f, g, 8, h, of_lower())                                             \
  BEGINS(Iexscan##C, iexscan##LOWER, IEXSCAN##UPPER, 7, f, g, 8, h, of_lower())                                       \
  BEGINS(Ineighbor_allgather##C, ineighbor_allgather##LOWER, INEIGHBOR_ALLGATHER##UPPER, 8, g, h, 9, i, of_unknown()) \
  BEGINS(Ineighbor_allgatherv##C, ineighbor_allgatherv##LOWER, INEIGHBOR_ALLGATHERV##UPPER, 9, h, i, 10, j,           \
         of_unknown())                                                                                                \
  BEGINS(Ineighbor_alltoall##C, ineighbor_alltoall##LOWER, INEIGHBOR_ALLTOALL##UPPER, 8, g, h, 9, i, of_unknown())    \
  BEGINS(Ineighbor_alltoallv##C, ineighbor_alltoallv##LOWER, INEIGHBOR_ALLTOALLV##UPPER, 10, i, j, 11, k,             \
         of_unknown())                                                                                                \
  BEGINS(Ineighbor_alltoallw##C, ineighbor_alltoallw##LOWER, INEIGHBOR_ALLTOALLW##UPPER, 10, i, j, 11, k, of_unknown())
/// Those that MPICH alone has.
#define TUTTI_BEGINNINGS_OF_MPICH(BEGINS) \
  BEGINS(Comm_idup_with_info, comm_idup_with_info, COMM_IDUP_WITH_INFO, 4, a, d, 5, e, of_all())
// NOLINTEND

#include "interpose/mpi/requests.hpp"

namespace tutti::interpose {

inline Needed of_all() { return {Needed::Of::all}; }
inline Needed of_lower() { return {Needed::Of::lower}; }
inline Needed of_unknown() { return {Needed::Of::unknown}; }

}  // namespace tutti::interpose
