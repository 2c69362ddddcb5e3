/// @file
/// Functions of MPI's that all ranks of a communicator call, and that MPI alone does: those that make communicators,
/// windows and files, those that all ranks of a window or file call, and collectives that are not taken over.
///
/// In a program that is checked all ranks come together before any of them calls MPI's own: whoever waits for one that
/// does not come, or that calls something else, says so, as in a collective. MPI allows each of these functions to wait
/// for all ranks.
///
/// A call on a window or file names no communicator. Each of them has one of its own here, made where it is made: the
/// program may use or free the other one meanwhile, and threads may be in calls of several windows at once.
#pragma once

#include <mpi.h>

#include <functional>

#include "interpose/mpi/beginning.hpp"
#include "interpose/mpi/leaders.hpp"
#include "interpose/mpi/neighbours.hpp"
#include "interpose/mpi/watched.hpp"
#include "interpose/mpi/words.hpp"

namespace tutti::interpose {

/// In a program that is checked: waits until all ranks of that communicator have come to `function`, which was called
/// at the frame `entry`, then makes the call, which is MPI's, and returns its code. Where they do not come, returns the
/// code of that error. Where the communicator is not served, waits for nobody.
int come_to(const char* function, MPI_Comm handle, const void* entry, const OfMpi& call);

/// The same for a collective that is MPI's, in which `amount` says what this rank sends to each other one and awaits of
/// each: where that does not go together, all ranks hear of it.
int come_to_exchange(const char* function, MPI_Comm handle, const void* entry, const Amount& amount, const OfMpi& call);

/// The same for MPI_Intercomm_create, in which the leaders of both groups meet, too.
int come_to_join(const char* function, const Leaders& leaders, const void* entry, const OfMpi& call);

/// The same for a function that makes a communicator of that one, which `made` returns after the call: all of its ranks
/// know it by what it was made of, and as which one. Between the meeting and the call, all of them call `compare`,
/// where there is one, which throws what does not go together.
int come_to_derive(const char* function, MPI_Comm handle, const void* entry, const std::function<MPI_Comm()>& made,
                   const OfMpi& call, const std::function<void(Taken& on)>& compare = {});

/// These do the same for functions of windows and files: the first for one that makes a window or file, whose handle
/// `made` returns after the call, the others for one that all its ranks call, and for one that ends it. `Handle` is
/// MPI_Win or MPI_File.
template <typename Handle>
int come_to_make(const char* function, MPI_Comm handle, const void* entry, const std::function<Handle()>& made,
                 const OfMpi& call);
template <typename Handle>
int come_to_use(const char* function, Handle handle, const void* entry, const OfMpi& call);
template <typename Handle>
int come_to_end(const char* function, Handle handle, const void* entry, const OfMpi& call);

// NOLINTBEGIN: a list that no function can make
/// Each of them: its name after MPI_, in letters of both cases; its number of arguments in C, and which one is the
/// communicator; and in Fortran the number with the lengths of texts, which come last, and which one is the error code.
#define TUTTI_COMINGS(COMES)                                                        \
  COMES(Intercomm_merge, intercomm_merge, INTERCOMM_MERGE, 3, a, 4, d)              \
  COMES(Comm_spawn, comm_spawn, COMM_SPAWN, 8, f, 11, i)                            \
  COMES(Comm_spawn_multiple, comm_spawn_multiple, COMM_SPAWN_MULTIPLE, 9, g, 12, j) \
  COMES(Comm_accept, comm_accept, COMM_ACCEPT, 5, d, 7, f)                          \
  COMES(Comm_connect, comm_connect, COMM_CONNECT, 5, d, 7, f)

/// The same of a function whose ranks say what they send to each other and await of each, as the functions of
/// beginning.hpp say it.
#define TUTTI_EXCHANGES_WITH_COUNTS(EXCHANGES, C, LOWER, UPPER)                                                   \
  EXCHANGES(Alltoallw##C, alltoallw##LOWER, ALLTOALLW##UPPER, 9, i, 10, j, listed_all_to_all_w##C(a, b, d, f, h)) \
  EXCHANGES(Neighbor_allgather##C, neighbor_allgather##LOWER, NEIGHBOR_ALLGATHER##UPPER, 7, g, 8, h,              \
            neighbours##C(b, c, e, f, g))                                                                         \
  EXCHANGES(Neighbor_allgatherv##C, neighbor_allgatherv##LOWER, NEIGHBOR_ALLGATHERV##UPPER, 8, h, 9, i,           \
            neighbours_v##C(b, c, e, g, h))                                                                       \
  EXCHANGES(Neighbor_alltoall##C, neighbor_alltoall##LOWER, NEIGHBOR_ALLTOALL##UPPER, 7, g, 8, h,                 \
            neighbours##C(b, c, e, f, g))                                                                         \
  EXCHANGES(Neighbor_alltoallv##C, neighbor_alltoallv##LOWER, NEIGHBOR_ALLTOALLV##UPPER, 9, i, 10, j,             \
            neighbours_each##C(b, d, f, h, i))                                                                    \
  EXCHANGES(Neighbor_alltoallw##C, neighbor_alltoallw##LOWER, NEIGHBOR_ALLTOALLW##UPPER, 9, i, 10, j,             \
            neighbours_each_w##C(b, d, f, h, i))

/// The same of functions that make a communicator of one, and which argument it is.
#define TUTTI_DERIVINGS(DERIVES)                                                     \
  DERIVES(b, Comm_dup, comm_dup, COMM_DUP, 2, a, 3, c)                               \
  DERIVES(c, Comm_dup_with_info, comm_dup_with_info, COMM_DUP_WITH_INFO, 3, a, 4, d) \
  DERIVES(c, Comm_create, comm_create, COMM_CREATE, 3, a, 4, d)                      \
  DERIVES(d, Comm_split, comm_split, COMM_SPLIT, 4, a, 5, e)                         \
  DERIVES(e, Comm_split_type, comm_split_type, COMM_SPLIT_TYPE, 5, a, 6, f)          \
  DERIVES(f, Cart_create, cart_create, CART_CREATE, 6, a, 7, g)                      \
  DERIVES(c, Cart_sub, cart_sub, CART_SUB, 3, a, 4, d)                               \
  DERIVES(f, Graph_create, graph_create, GRAPH_CREATE, 6, a, 7, g)                   \
  DERIVES(i, Dist_graph_create, dist_graph_create, DIST_GRAPH_CREATE, 9, a, 10, j)

/// The same of functions that make a window or file, and which argument it is.
#define TUTTI_MAKINGS(MAKES)                                                                \
  MAKES(MPI_Win, c, Win_create_dynamic, win_create_dynamic, WIN_CREATE_DYNAMIC, 3, b, 4, d) \
  MAKES(MPI_File, e, File_open, file_open, FILE_OPEN, 5, a, 7, f)                           \
  TUTTI_MAKINGS_WITH_COUNTS(MAKES, , , )
#define TUTTI_MAKINGS_WITH_COUNTS(MAKES, C, LOWER, UPPER)                                  \
  MAKES(MPI_Win, f, Win_create##C, win_create##LOWER, WIN_CREATE##UPPER, 6, e, 7, g)       \
  MAKES(MPI_Win, f, Win_allocate##C, win_allocate##LOWER, WIN_ALLOCATE##UPPER, 6, d, 7, g) \
  MAKES(MPI_Win, f, Win_allocate_shared##C, win_allocate_shared##LOWER, WIN_ALLOCATE_SHARED##UPPER, 6, d, 7, g)

/// Functions that all ranks of a window or file call, and which argument that is in place of a communicator.
#define TUTTI_USES(USES)                                                                 \
  USES(MPI_Win, Win_fence, win_fence, WIN_FENCE, 2, b, 3, c)                             \
  USES(MPI_File, File_set_view, file_set_view, FILE_SET_VIEW, 6, a, 8, g)                \
  USES(MPI_File, File_set_size, file_set_size, FILE_SET_SIZE, 2, a, 3, c)                \
  USES(MPI_File, File_preallocate, file_preallocate, FILE_PREALLOCATE, 2, a, 3, c)       \
  USES(MPI_File, File_set_info, file_set_info, FILE_SET_INFO, 2, a, 3, c)                \
  USES(MPI_File, File_set_atomicity, file_set_atomicity, FILE_SET_ATOMICITY, 2, a, 3, c) \
  USES(MPI_File, File_seek_shared, file_seek_shared, FILE_SEEK_SHARED, 3, a, 4, d)       \
  USES(MPI_File, File_sync, file_sync, FILE_SYNC, 1, a, 2, b)                            \
  TUTTI_USES_OF_SECOND_PARTS(USES)                                                       \
  TUTTI_USES_WITH_COUNTS(USES, , , )
#define TUTTI_USES_WITH_COUNTS(USES, C, LOWER, UPPER)                                                     \
  USES(MPI_File, File_read_all##C, file_read_all##LOWER, FILE_READ_ALL##UPPER, 5, a, 6, f)                \
  USES(MPI_File, File_write_all##C, file_write_all##LOWER, FILE_WRITE_ALL##UPPER, 5, a, 6, f)             \
  USES(MPI_File, File_read_at_all##C, file_read_at_all##LOWER, FILE_READ_AT_ALL##UPPER, 6, a, 7, g)       \
  USES(MPI_File, File_write_at_all##C, file_write_at_all##LOWER, FILE_WRITE_AT_ALL##UPPER, 6, a, 7, g)    \
  USES(MPI_File, File_read_ordered##C, file_read_ordered##LOWER, FILE_READ_ORDERED##UPPER, 5, a, 6, f)    \
  USES(MPI_File, File_write_ordered##C, file_write_ordered##LOWER, FILE_WRITE_ORDERED##UPPER, 5, a, 6, f) \
  TUTTI_USES_IN_TWO_PARTS(USES, C, LOWER, UPPER)
/// The first parts of those that come in two, and the second ones.
#define TUTTI_USES_IN_TWO_PARTS(USES, C, LOWER, UPPER)                                                                \
  USES(MPI_File, File_read_all_begin##C, file_read_all_begin##LOWER, FILE_READ_ALL_BEGIN##UPPER, 4, a, 5, e)          \
  USES(MPI_File, File_write_all_begin##C, file_write_all_begin##LOWER, FILE_WRITE_ALL_BEGIN##UPPER, 4, a, 5, e)       \
  USES(MPI_File, File_read_at_all_begin##C, file_read_at_all_begin##LOWER, FILE_READ_AT_ALL_BEGIN##UPPER, 5, a, 6, f) \
  USES(MPI_File, File_write_at_all_begin##C, file_write_at_all_begin##LOWER, FILE_WRITE_AT_ALL_BEGIN##UPPER, 5, a, 6, \
       f)                                                                                                             \
  USES(MPI_File, File_read_ordered_begin##C, file_read_ordered_begin##LOWER, FILE_READ_ORDERED_BEGIN##UPPER, 4, a, 5, \
       e)                                                                                                             \
  USES(MPI_File, File_write_ordered_begin##C, file_write_ordered_begin##LOWER, FILE_WRITE_ORDERED_BEGIN##UPPER, 4, a, \
       5, e)
#define TUTTI_USES_OF_SECOND_PARTS(USES)                                                          \
  USES(MPI_File, File_read_all_end, file_read_all_end, FILE_READ_ALL_END, 3, a, 4, d)             \
  USES(MPI_File, File_write_all_end, file_write_all_end, FILE_WRITE_ALL_END, 3, a, 4, d)          \
  USES(MPI_File, File_read_at_all_end, file_read_at_all_end, FILE_READ_AT_ALL_END, 3, a, 4, d)    \
  USES(MPI_File, File_write_at_all_end, file_write_at_all_end, FILE_WRITE_AT_ALL_END, 3, a, 4, d) \
  USES(MPI_File, File_read_ordered_end, file_read_ordered_end, FILE_READ_ORDERED_END, 3, a, 4, d) \
  USES(MPI_File, File_write_ordered_end, file_write_ordered_end, FILE_WRITE_ORDERED_END, 3, a, 4, d)
/// And those that end it, whose first argument is where its handle is.
#define TUTTI_ENDINGS(ENDS)                               \
  ENDS(MPI_Win, Win_free, win_free, WIN_FREE, 1, a, 2, b) \
  ENDS(MPI_File, File_close, file_close, FILE_CLOSE, 1, a, 2, b)
// NOLINTEND

}  // namespace tutti::interpose
