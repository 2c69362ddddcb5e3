// An MPI program that knows nothing of tutti, whose ranks make communicators, windows and files together, or do not.
// Prints "as expected" on rank 0 where it goes on, or what was not.
//
//     makers WAY [threads]

#include <pthread.h>

#include "unchanged.h"

// Each way that all ranks go rightly.
static void make_communicators(MPI_Comm comm) {
  const int ring[2] = {(rank + size - 1) % size, (rank + 1) % size};
  const int ranks[1] = {size}, weights[2] = {1, 1}, periods[1] = {1}, keeps[1] = {1};
  MPI_Comm fresh[8];
  MPI_Group group;
  MPI_Comm_group(comm, &group);
  MPI_Comm_dup(comm, &fresh[0]);
  MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &fresh[1]);
  MPI_Comm_create(comm, group, &fresh[2]);
  MPI_Comm_split(comm, 0, rank, &fresh[3]);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &fresh[4]);
  MPI_Cart_create(comm, 1, ranks, periods, 0, &fresh[5]);
  MPI_Cart_sub(fresh[5], keeps, &fresh[6]);
  MPI_Dist_graph_create_adjacent(comm, 2, ring, weights, 2, ring, weights, MPI_INFO_NULL, 0, &fresh[7]);
  int mine[2] = {rank, rank}, around[2] = {-1, -1};
  MPI_Neighbor_alltoall(mine, 1, MPI_INT, around, 1, MPI_INT, fresh[7]);
  expect(around[0] == ring[0] && around[1] == ring[1], "what the neighbors have sent");
  for (int k = 0; k < 8; ++k) {
    expect_sum(fresh[k]);
    MPI_Comm_free(&fresh[k]);
  }
  MPI_Group_free(&group);
}

// Ranks of one half alone make a communicator, whose leaders meet through all.
static void make_intercommunicator(void) {
  MPI_Comm half, between, whole;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
  MPI_Barrier(between);
  MPI_Intercomm_merge(between, rank % 2, &whole);
  expect_sum(whole);
  MPI_Comm_dup(between, &half);
  MPI_Comm_free(&half);
  MPI_Comm_free(&whole);
  MPI_Comm_free(&between);
}

static void make_window(void) {
  int word = -1;
  MPI_Win window;
  MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

static void make_all(void) {
  for (int k = 0; k < 5; ++k) make_communicators(MPI_COMM_WORLD);
  make_intercommunicator();
  make_window();
  MPI_Comm alone;
  MPI_Comm_dup(MPI_COMM_SELF, &alone);
  MPI_Comm_free(&alone);
}

// Threads that make communicators of different ones at once. The main thread makes some before: Open MPI 4.1 prepares
// itself for topologies when the first is made, and crashes where two threads make that one at once.
static void* make_some(void* of) {
  for (int k = 0; k < 5; ++k) make_communicators(*(MPI_Comm*)of);
  return of;
}
static void make_by_threads(void) {
  enum { threads = 3 };
  pthread_t all[threads];
  MPI_Comm comms[threads];
  make_communicators(MPI_COMM_WORLD);
  for (int k = 0; k < threads; ++k) MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
  for (int k = 0; k < threads; ++k) pthread_create(&all[k], NULL, make_some, &comms[k]);
  for (int k = 0; k < threads; ++k) pthread_join(all[k], NULL);
  for (int k = 0; k < threads; ++k) MPI_Comm_free(&comms[k]);
}

// Rank 1 does something else.
static void split_or_sum(void) {
  MPI_Comm half;
  expect_sum(MPI_COMM_WORLD);
  if (rank == 1) expect_sum(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
}
static void copy_or_receive(void) {
  MPI_Comm copy;
  int word;
  expect_sum(MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
}
static void window_or_end(void) {
  int word = 0;
  MPI_Win window;
  expect_sum(MPI_COMM_WORLD);
  if (rank != 1) MPI_Win_create(&word, sizeof(word), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
}
static void file_or_window(void) {
  int word = 0;
  MPI_Win window;
  MPI_File file;
  if (rank == 1)
    MPI_Win_create(&word, sizeof(word), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  else
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
}

int main(int argc, char** argv) {
  begin(argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
  static const struct Way ways[] = {{"make_all", make_all},
                                    {"make_by_threads", make_by_threads},
                                    {"split_or_sum", split_or_sum},
                                    {"copy_or_receive", copy_or_receive},
                                    {"window_or_end", window_or_end},
                                    {"file_or_window", file_or_window},
                                    {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
