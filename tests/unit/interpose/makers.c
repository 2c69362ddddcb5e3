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

// Graphs of the same ring, and all collectives of neighbors.
static void talk_to_neighbors(MPI_Comm graph, const int* ring) {
  const int ones[2] = {1, 1}, places[2] = {0, 1};
  const MPI_Aint bytes[2] = {0, sizeof(int)};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  const int mine[2] = {rank, rank};
  for (int way = 0; way < 5; ++way) {
    int around[2] = {-1, -1};
    if (way == 0) MPI_Neighbor_allgather(mine, 1, MPI_INT, around, 1, MPI_INT, graph);
    if (way == 1) MPI_Neighbor_allgatherv(mine, 1, MPI_INT, around, ones, places, MPI_INT, graph);
    if (way == 2) MPI_Neighbor_alltoall(mine, 1, MPI_INT, around, 1, MPI_INT, graph);
    if (way == 3) MPI_Neighbor_alltoallv(mine, ones, places, MPI_INT, around, ones, places, MPI_INT, graph);
    if (way == 4) MPI_Neighbor_alltoallw(mine, ones, bytes, types, around, ones, bytes, types, graph);
    expect(around[0] == ring[0] && around[1] == ring[1], "what the neighbors have sent");
  }
}
static void make_graphs(MPI_Comm comm) {
  const int ring[2] = {(rank + size - 1) % size, (rank + 1) % size};
  int index[16], edges[32];
  for (int k = 0; k < size; ++k) {
    index[k] = 2 * k + 2;
    edges[2 * k] = (k + size - 1) % size;
    edges[2 * k + 1] = (k + 1) % size;
  }
  MPI_Comm graph;
  MPI_Graph_create(comm, size, index, edges, 0, &graph);
  talk_to_neighbors(graph, ring);
  MPI_Comm_free(&graph);
#ifndef OPEN_MPI  // Open MPI 4.1.4 may hang in it
  const int degree = 2, weights[2] = {1, 1};
  MPI_Dist_graph_create(comm, 1, &rank, &degree, ring, weights, MPI_INFO_NULL, 0, &graph);
  expect_sum(graph);
  MPI_Comm_free(&graph);
#endif
}

static void exchange_by_types(MPI_Comm comm) {
  int ones[16], bytes[16], mine[16], all[16];
  MPI_Datatype types[16];
  for (int k = 0; k < size; ++k) {
    ones[k] = 1;
    bytes[k] = k * (int)sizeof(int);
    mine[k] = 100 * rank + k;
    all[k] = -1;
    types[k] = MPI_INT;
  }
  MPI_Alltoallw(mine, ones, bytes, types, all, ones, bytes, types, comm);
  for (int k = 0; k < size; ++k) expect(all[k] == 100 * k + rank, "what all have sent");
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

// Groups of the first ranks, of those after them, and of the last one, each led by its last rank, in a chain of which
// each is joined to the next by another tag; other messages are under way there.
static void join_groups(void) {
  const int colour = rank == size - 1 ? 2 : rank < (size - 1) / 2 ? 0 : 1;
  const int leaders[] = {(size - 1) / 2 - 1, size - 2, size - 1};
  int own, word = rank, got = -1;
  MPI_Request requests[2];
  MPI_Comm group, joined[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &group);
  MPI_Comm_size(group, &own);
  MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&word, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &requests[1]);
  for (int k = 0; k < 2; ++k) {
    if (colour != k && colour != k + 1) continue;
    const int other = leaders[colour == k ? k + 1 : k];
    // Arguments of the others mean nothing.
    const int leads = rank == leaders[colour];
    MPI_Intercomm_create(group, own - 1, leads ? MPI_COMM_WORLD : MPI_COMM_NULL, leads ? other : -7, leads ? 10 + k : 0,
                         &joined[k]);
    MPI_Barrier(joined[k]);
  }
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);
  expect(got == (rank + size - 1) % size, "another message");
  for (int k = 0; k < 2; ++k)
    if (joined[k] != MPI_COMM_NULL) MPI_Comm_free(&joined[k]);
  MPI_Comm_free(&group);
}

// Nothing is put there: MPICH 4.0.2 loses some of that.
static void use_window(MPI_Win window) {
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}
// The communicator goes before the window.
static void make_windows(MPI_Comm comm) {
  int word, *own;
  MPI_Win window;
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, copy, &window);
  MPI_Comm_free(&copy);
  use_window(window);
  MPI_Win_allocate(sizeof(word), sizeof(word), MPI_INFO_NULL, comm, &own, &window);
  use_window(window);
  MPI_Win_allocate_shared(sizeof(word), sizeof(word), MPI_INFO_NULL, comm, &own, &window);
  use_window(window);
  MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window);
  MPI_Win_free(&window);
}

// Each of them comes in two parts, between which other functions may be called.
static void write_and_read_in_two_parts(MPI_File file) {
  int word = -1, sum = rank;
  MPI_File_write_at_all_begin(file, 0, &rank, 1, MPI_INT);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_File_write_at_all_end(file, &rank, MPI_STATUS_IGNORE);
  MPI_File_read_at_all_begin(file, 0, &word, 1, MPI_INT);
  MPI_File_read_at_all_end(file, &word, MPI_STATUS_IGNORE);
  expect(word == rank && sum == size * (size - 1) / 2, "what was written in two parts");
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_write_all_begin(file, &size, 1, MPI_INT);
  MPI_File_write_all_end(file, &size, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all_begin(file, &word, 1, MPI_INT);
  MPI_File_read_all_end(file, &word, MPI_STATUS_IGNORE);
  expect(word == size, "what was written there in two parts");
}
static void make_file(MPI_Comm comm) {
  char name[] = "/tmp/tutti_makers_XXXXXX";
  int word = -1;
  MPI_File file;
  if (rank == 0) close(mkstemp(name));
  MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, comm);
  expect(MPI_File_open(comm, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS, "no file");
  MPI_File_open(comm, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  MPI_File_preallocate(file, size * (int)sizeof(word));
  MPI_File_set_atomicity(file, 1);
  MPI_File_set_view(file, rank * (int)sizeof(word), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_File_read_at_all(file, 0, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
  expect(word == rank, "what was written");
  MPI_File_write_at_all(file, 0, &size, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all(file, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
  expect(word == size, "what was written there");
  write_and_read_in_two_parts(file);
  MPI_File_close(&file);
}

// More than windows that are known by name.
static void make_many_windows(void) {
  enum { many = 300 };
  static MPI_Win windows[many];
  for (int k = 0; k < many; ++k) MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &windows[k]);
  for (int k = 0; k < many; ++k) MPI_Win_fence(0, windows[k]);
  for (int k = 0; k < many; ++k) MPI_Win_free(&windows[k]);
}

// One half opens a port, and the other one comes to it.
static void meet_at_a_port(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm half, between, whole;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank % 2 == 0)
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &between);
  else
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &between);
  MPI_Intercomm_merge(between, rank % 2, &whole);
  expect_sum(whole);
  MPI_Comm_free(&whole);
  MPI_Comm_disconnect(&between);
  MPI_Comm_free(&half);
  if (rank == 0) MPI_Close_port(port);
}

static void make_all(void) {
  for (int k = 0; k < 5; ++k) make_communicators(MPI_COMM_WORLD);
  make_intercommunicator();
  make_graphs(MPI_COMM_WORLD);
  exchange_by_types(MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k) make_windows(MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k) make_file(MPI_COMM_WORLD);
  MPI_Comm alone;
  MPI_Comm_dup(MPI_COMM_SELF, &alone);
  MPI_Comm_free(&alone);
}

// Threads that make communicators of different ones at once.
static void* make_some(void* of) {
  for (int k = 0; k < 5; ++k) make_communicators(*(MPI_Comm*)of);
  return of;
}
static void* meet(void* comm) {
  MPI_Barrier(*(MPI_Comm*)comm);
  return NULL;
}

// The others come late, so that both threads of rank 0 are there at once.
static void meet_by_threads(void) {
  pthread_t other;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_name(copy, "the copy");
  if (rank > 0) sleep(2);
  pthread_create(&other, NULL, meet, &copy);
  meet(&copy);
  pthread_join(other, NULL);
}

static void make_by_threads(void) {
  enum { threads = 3 };
  pthread_t all[threads];
  MPI_Comm comms[threads];
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

// Calls on a window, on a file and on two groups.
static void fence_or_sum(void) {
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (rank != 1) MPI_Win_fence(0, window);
  expect_sum(MPI_COMM_WORLD);
}
static void fence_or_free(void) {
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (rank != 1) MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}
static void write_or_close(void) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (rank != 1) MPI_File_write_all(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}
static void read_or_close(void) {
  MPI_File file;
  int word;
  MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_all_begin(file, &word, 1, MPI_INT);
  if (rank != 1) MPI_File_read_all_end(file, &word, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}
static void merge_or_receive(void) {
  MPI_Comm half, between, whole;
  int word;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
  if (rank == 1) MPI_Recv(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Intercomm_merge(between, rank % 2, &whole);
}

// Leaders of two groups pass arguments that do not go together, or ranks of one group do.
static void join_halves(int local_leader, int remote_leader, int tag) {
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, local_leader, MPI_COMM_WORLD, remote_leader, tag, &between);
}
static void join_by_other_tags(void) { join_halves(0, 1 - rank % 2, rank % 2); }
// The leaders hear of it, and so do the ranks that they lead.
static void join_and_go_on(void) {
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
  const int code = MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, rank % 2, &between);
  expect_words(code,
               rank < 2 ? "to send with tag " : "MPI_Intercomm_create: rank 0, which leads this group, has not met ");
}
static void join_other_leaders(void) { join_halves(0, rank % 2 ? 2 : 1, 7); }
static void join_by_other_leaders(void) { join_halves(rank / 2, 1 - rank % 2, 7); }
static void join_or_end(void) {
  if (rank == 1) return;
  MPI_Comm group, between;
  MPI_Comm_split(MPI_COMM_SELF, 0, 0, &group);
  if (rank == 0) MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1, 7, &between);
}

int main(int argc, char** argv) {
  begin(argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
  static const struct Way ways[] = {{"make_all", make_all},
                                    {"make_by_threads", make_by_threads},
                                    {"meet_by_threads", meet_by_threads},
                                    {"split_or_sum", split_or_sum},
                                    {"copy_or_receive", copy_or_receive},
                                    {"window_or_end", window_or_end},
                                    {"file_or_window", file_or_window},
                                    {"meet_at_a_port", meet_at_a_port},
                                    {"make_many_windows", make_many_windows},
                                    {"fence_or_sum", fence_or_sum},
                                    {"fence_or_free", fence_or_free},
                                    {"write_or_close", write_or_close},
                                    {"read_or_close", read_or_close},
                                    {"merge_or_receive", merge_or_receive},
                                    {"join_groups", join_groups},
                                    {"join_by_other_tags", join_by_other_tags},
                                    {"join_other_leaders", join_other_leaders},
                                    {"join_by_other_leaders", join_by_other_leaders},
                                    {"join_or_end", join_or_end},
                                    {"join_and_go_on", join_and_go_on},
                                    {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
