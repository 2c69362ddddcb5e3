/// @file
/// The functions of MPI that begin a collective and make a request of it: where the program is checked, they are
/// counted, and ranks compare what they begin.
#pragma once

// NOLINTBEGIN: a list that no function can make
/// Each of them: its name after MPI_, in letters of both cases; its number of arguments in C, and which ones are the
/// communicator and the request; in Fortran the number, and which one is the error code; whom it needs (Needed), and
/// what all ranks say alike of its length and its operator (Amount).
#define TUTTI_BEGINNINGS(BEGINS)                                              \
  BEGINS(Ibarrier, ibarrier, IBARRIER, 2, a, b, 3, c, of_all(), nothing())    \
  BEGINS(Comm_idup, comm_idup, COMM_IDUP, 3, a, c, 4, d, of_all(), nothing()) \
  TUTTI_BEGINNINGS_WITH_COUNTS(BEGINS, , , )
/// Those of them that MPICH has with counts of either width.
#define TUTTI_BEGINNINGS_WITH_COUNTS(BEGINS, C, LOWER, UPPER)                                                         \
  BEGINS(Ibcast##C, ibcast##LOWER, IBCAST##UPPER, 6, e, f, 7, g, of_root(d), moved##C(b, c))                          \
  BEGINS(Igather##C, igather##LOWER, IGATHER##UPPER, 9, h, i, 10, j, of_all_by_root(g), gathered##C(b, c, e, f))      \
  BEGINS(Igatherv##C, igatherv##LOWER, IGATHERV##UPPER, 10, i, j, 11, k, of_unknown(), nothing())                     \
  BEGINS(Iscatter##C, iscatter##LOWER, ISCATTER##UPPER, 9, h, i, 10, j, of_root(g), gathered##C(e, f, b, c))          \
  BEGINS(Iscatterv##C, iscatterv##LOWER, ISCATTERV##UPPER, 10, i, j, 11, k, of_root(h), nothing())                    \
  BEGINS(Iallgather##C, iallgather##LOWER, IALLGATHER##UPPER, 8, g, h, 9, i, of_all(), moved##C(e, f))                \
  BEGINS(Iallgatherv##C, iallgatherv##LOWER, IALLGATHERV##UPPER, 9, h, i, 10, j, of_unknown(), nothing())             \
  BEGINS(Ialltoall##C, ialltoall##LOWER, IALLTOALL##UPPER, 8, g, h, 9, i, of_all(), moved##C(e, f))                   \
  BEGINS(Ialltoallv##C, ialltoallv##LOWER, IALLTOALLV##UPPER, 10, i, j, 11, k, of_unknown(), nothing())               \
  BEGINS(Ialltoallw##C, ialltoallw##LOWER, IALLTOALLW##UPPER, 10, i, j, 11, k, of_unknown(), nothing())               \
  BEGINS(Ireduce##C, ireduce##LOWER, IREDUCE##UPPER, 8, g, h, 9, i, of_all_by_root(f), folded##C(c, d, e))            \
  BEGINS(Iallreduce##C, iallreduce##LOWER, IALLREDUCE##UPPER, 7, f, g, 8, h, of_all(), folded##C(c, d, e))            \
  BEGINS(Ireduce_scatter##C, ireduce_scatter##LOWER, IREDUCE_SCATTER##UPPER, 7, f, g, 8, h, of_unknown(), nothing())  \
  BEGINS(Ireduce_scatter_block##C, ireduce_scatter_block##LOWER, IREDUCE_SCATTER_BLOCK##UPPER, 7, f, g, 8, h,         \
         of_all(), folded##C(c, d, e))                                                                                \
  BEGINS(Iscan##C, iscan##LOWER, ISCAN##UPPER, 7, f, g, 8, h, of_lower(), folded##C(c, d, e))                         \
  BEGINS(Iexscan##C, iexscan##LOWER, IEXSCAN##UPPER, 7, f, g, 8, h, of_lower(), folded##C(c, d, e))                   \
  BEGINS(Ineighbor_allgather##C, ineighbor_allgather##LOWER, INEIGHBOR_ALLGATHER##UPPER, 8, g, h, 9, i, of_unknown(), \
         nothing())                                                                                                   \
  BEGINS(Ineighbor_allgatherv##C, ineighbor_allgatherv##LOWER, INEIGHBOR_ALLGATHERV##UPPER, 9, h, i, 10, j,           \
         of_unknown(), nothing())                                                                                     \
  BEGINS(Ineighbor_alltoall##C, ineighbor_alltoall##LOWER, INEIGHBOR_ALLTOALL##UPPER, 8, g, h, 9, i, of_unknown(),    \
         nothing())                                                                                                   \
  BEGINS(Ineighbor_alltoallv##C, ineighbor_alltoallv##LOWER, INEIGHBOR_ALLTOALLV##UPPER, 10, i, j, 11, k,             \
         of_unknown(), nothing())                                                                                     \
  BEGINS(Ineighbor_alltoallw##C, ineighbor_alltoallw##LOWER, INEIGHBOR_ALLTOALLW##UPPER, 10, i, j, 11, k,             \
         of_unknown(), nothing())
/// Those that MPICH alone has.
#define TUTTI_BEGINNINGS_OF_MPICH(BEGINS) \
  BEGINS(Comm_idup_with_info, comm_idup_with_info, COMM_IDUP_WITH_INFO, 4, a, d, 5, e, of_all(), nothing())
// NOLINTEND

#include <cstdint>
#include <optional>
#include <string>

#include "interpose/mpi/fortran_arguments.hpp"
#include "interpose/mpi/requests.hpp"
#include "interpose/mpi/words.hpp"

namespace tutti::interpose {

/// What all ranks of a collective say alike of its length and its operator, as far as they do.
struct Amount {
  struct Elements {
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
  };
  std::optional<Elements> elsewhere;
  std::optional<Elements> at_root;
  std::optional<MPI_Op> op;
};

/// "MPI_Ireduce with root 0, 16 bytes and MPI_SUM", as rank `rank` has begun it.
std::string words_of(const char* function, const Needed& needed, const Amount& amount, int rank);

inline Needed of_all() { return {Needed::Of::all}; }
inline Needed of_lower() { return {Needed::Of::lower}; }
inline Needed of_unknown() { return {Needed::Of::unknown}; }

// Arguments as words, of functions with counts of either width, or as the addresses that Fortran passes.
template <typename T, typename Count>
T argument_of(Word word) {
  return argument<T, Count>(word);
}
template <typename T, typename>
T argument_of(void* address) {
  return fortran_argument<T>(address);
}
template <typename Count, typename A>
Amount::Elements elements(A count, A type) {
  return {argument_of<MPI_Count, Count>(count), argument_of<MPI_Datatype, Count>(type)};
}
inline Amount nothing() { return {}; }
template <typename Count = int, typename A>
Amount gathered(A count, A type, A count_at_root, A type_at_root) {
  return {elements<Count>(count, type), elements<Count>(count_at_root, type_at_root), {}};
}
template <typename Count = int, typename A>
Amount moved(A count, A type) {
  return gathered<Count>(count, type, count, type);
}
template <typename Count = int, typename A>
Amount folded(A count, A type, A op) {
  Amount amount = moved<Count>(count, type);
  amount.op = argument_of<MPI_Op, Count>(op);
  return amount;
}
template <typename A>
Amount gathered_c(A count, A type, A count_at_root, A type_at_root) {
  return gathered<MPI_Count>(count, type, count_at_root, type_at_root);
}
template <typename A>
Amount moved_c(A count, A type) {
  return moved<MPI_Count>(count, type);
}
template <typename A>
Amount folded_c(A count, A type, A op) {
  return folded<MPI_Count>(count, type, op);
}

}  // namespace tutti::interpose
