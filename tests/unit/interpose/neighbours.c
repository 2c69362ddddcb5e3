// An MPI program that knows nothing of tutti, whose ranks exchange with their neighbours what does not go together, or
// list edges that others do not; and, in other ways, what only looks so. Prints "as expected" on rank 0, or what was
// not.
//
//     neighbours WAY

#include "unchanged.h"

enum { most = 64 };
static int in[4 * most], out[4 * most], ones[most], places[most];

// A ring as a grid, and as a graph whose edges lead one way alone.
static void neighbours(void) {
  const int is_one = rank == 1, periodic = 1, twos[] = {2, 2};
  int index[most], edges[most];
  for (int r = 0; r < size; ++r) index[r] = r + 1, edges[r] = (r + 1) % size;
  MPI_Datatype types[] = {MPI_INT, is_one ? MPI_DOUBLE : MPI_INT};
  const MPI_Aint bytes[] = {0, 16};
  MPI_Comm ring, graph;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
  MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
  expect_words(MPI_Neighbor_allgather(in, is_one ? 2 : 1, MPI_INT, out, 1, MPI_INT, ring),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Neighbor_allgather (");
  expect_words(MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, is_one ? twos : ones, places, MPI_INT, ring),
               "rank 0 sends 4 bytes to rank 1, which expects 8; all called MPI_Neighbor_allgatherv (");
  expect_words(MPI_Neighbor_alltoall(in, is_one ? 2 : 1, MPI_INT, out, 1, MPI_INT, ring),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Neighbor_alltoall (");
  expect_words(MPI_Neighbor_alltoallv(in, is_one ? twos : ones, places, MPI_INT, out, ones, places, MPI_INT, ring),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Neighbor_alltoallv (");
  expect_words(MPI_Neighbor_alltoallw(in, ones, bytes, types, out, ones, bytes, types, ring),
               "rank 1 sends 8 bytes to rank 2, which expects 4; all called MPI_Neighbor_alltoallw (");
  expect_words(MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, graph),
               "rank 0 sends 4 bytes to rank 1, which expects 0; all called MPI_Neighbor_allgather (");
  MPI_Comm_free(&ring);
  MPI_Comm_free(&graph);
}

static MPI_Comm fresh_ring(void) {
  const int periodic = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  return ring;
}
static void expect_of(MPI_Request request, const char* words) {
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE), words);
}
// Rank 1 awaits more than its neighbours send, which are all ranks.
static void neighbours_begun(void) {
  const int count = rank == 1 ? 2 : 1, twos[] = {2, 2};
  const int* const counts = rank == 1 ? twos : ones;
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  const MPI_Aint bytes[] = {0, 16};
  MPI_Request request;
  MPI_Ineighbor_allgather(in, 1, MPI_INT, out, count, MPI_INT, fresh_ring(), &request);
  expect_of(request, "sends 4 bytes to rank 1, which expects 8; all began MPI_Ineighbor_allgather (nonblocking ");
  MPI_Ineighbor_allgatherv(in, 1, MPI_INT, out, counts, places, MPI_INT, fresh_ring(), &request);
  expect_of(request, "sends 4 bytes to rank 1, which expects 8; all began MPI_Ineighbor_allgatherv (nonblocking ");
#ifndef OPEN_MPI  // Open MPI 4.1.4 takes it for a message that is cut off, and makes no request
  MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, count, MPI_INT, fresh_ring(), &request);
  expect_of(request, "sends 4 bytes to rank 1, which expects 8; all began MPI_Ineighbor_alltoall (nonblocking ");
#endif
  MPI_Ineighbor_alltoallv(in, ones, places, MPI_INT, out, counts, places, MPI_INT, fresh_ring(), &request);
  expect_of(request, "sends 4 bytes to rank 1, which expects 8; all began MPI_Ineighbor_alltoallv (nonblocking ");
  MPI_Ineighbor_alltoallw(in, ones, bytes, types, out, counts, bytes, types, fresh_ring(), &request);
  expect_of(request, "sends 4 bytes to rank 1, which expects 8; all began MPI_Ineighbor_alltoallw (nonblocking ");
}

// Along the edges of a communicator: what a rank sends to each of its neighbours has so many integers as its number
// says, and one, and what it receives as many as that one sends. A communicator is balanced if each rank has as many
// sources as destinations.
static int sent[most], lengths[most], apart[most], none[most];
static MPI_Aint bytes_apart[most];
static MPI_Datatype types[most];
static void know_lengths(int sources, const int* from) {
  for (int k = 0; k < most; ++k)
    sent[k] = rank + 1, apart[k] = 8 * k % most, bytes_apart[k] = 4 * apart[k], types[k] = MPI_INT;
  for (int k = 0; k < sources; ++k) lengths[k] = from[k] == MPI_PROC_NULL ? 3 : from[k] + 1;
}
// MPICH 4.0.2 reads as many counts of sources as a rank has destinations where types differ by neighbour, and takes what
// memory holds for the others.
#ifdef MPICH_VERSION
enum { is_mpich = 1 };
#else
enum { is_mpich = 0 };
#endif
static void exchange_along(MPI_Comm comm, int sources, const int* from, int is_balanced) {
  know_lengths(sources, from);
  MPI_Neighbor_allgather(in, 2, MPI_INT, out, 1, MPI_2INT, comm);
  MPI_Neighbor_allgatherv(in, rank + 1, MPI_INT, out, lengths, apart, MPI_INT, comm);
  MPI_Neighbor_alltoall(in, 1, MPI_2INT, out, 2, MPI_INT, comm);
  MPI_Neighbor_alltoallv(in, sent, apart, MPI_INT, out, lengths, apart, MPI_INT, comm);
  MPI_Neighbor_alltoallv(in, none, apart, MPI_INT, out, none, apart, MPI_DOUBLE, comm);
  if (is_balanced || !is_mpich)
    MPI_Neighbor_alltoallw(in, sent, bytes_apart, types, out, lengths, bytes_apart, types, comm);
}
static void begin_along(MPI_Comm comm, int sources, const int* from, int is_balanced) {
  static int to[5][2 * most];
  know_lengths(sources, from);
  MPI_Request all[5];
  MPI_Status statuses[5];
  MPI_Ineighbor_allgather(in, 2, MPI_INT, to[0], 1, MPI_2INT, comm, &all[0]);
  MPI_Ineighbor_allgatherv(in, rank + 1, MPI_INT, to[1], lengths, apart, MPI_INT, comm, &all[1]);
  MPI_Ineighbor_alltoall(in, 1, MPI_2INT, to[2], 2, MPI_INT, comm, &all[2]);
  MPI_Ineighbor_alltoallv(in, sent, apart, MPI_INT, to[3], lengths, apart, MPI_INT, comm, &all[3]);
  all[4] = MPI_REQUEST_NULL;
  if (is_balanced || !is_mpich)
    MPI_Ineighbor_alltoallw(in, sent, bytes_apart, types, to[4], lengths, bytes_apart, types, comm, &all[4]);
  MPI_Waitall(5, all, statuses);
}

// Grids of `size` or fewer ranks, some of which have no neighbour, or are their own.
static void exchange_in_grid(int ranks, int is_periodic) {
  MPI_Comm grid;
  int from[2];
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &is_periodic, 1, &grid);
  if (grid == MPI_COMM_NULL) return;
  MPI_Cart_shift(grid, 0, 1, &from[0], &from[1]);
  exchange_along(grid, 2, from, 1);
  begin_along(grid, 2, from, 1);
  MPI_Comm_free(&grid);
}

static void exchange_in_graph(int sources, const int* from, const int* weights_from, int destinations, const int* to,
                              const int* weights_to, int is_balanced) {
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, from, weights_from, destinations, to, weights_to,
                                 MPI_INFO_NULL, 0, &graph);
  exchange_along(graph, sources, from, is_balanced);
  begin_along(graph, sources, from, is_balanced);
  MPI_Comm_free(&graph);
}

// Grids with ends, and rings, also of one rank and of two; graphs whose edges have weights or none, in any order, whose
// edges are several between two ranks, or lead to the rank itself; and ranks without any.
static void neighbours_alike(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int is_periodic = 0; is_periodic < 2; ++is_periodic) {
    exchange_in_grid(1, is_periodic);
    exchange_in_grid(2, is_periodic);
    exchange_in_grid(size, is_periodic);
  }
  const int both[] = {before, next}, twice[] = {next, next}, of_twice[] = {before, before}, own[] = {rank, rank};
  const int up[] = {5, 7}, down[] = {7, 5};
  exchange_in_graph(2, both, MPI_UNWEIGHTED, 2, both, MPI_UNWEIGHTED, 1);
  exchange_in_graph(2, of_twice, up, 2, twice, down, 1);
  exchange_in_graph(2, of_twice, MPI_UNWEIGHTED, 2, twice, MPI_UNWEIGHTED, 1);
  exchange_in_graph(2, own, up, 2, own, down, 1);
  exchange_in_graph(0, own, MPI_WEIGHTS_EMPTY, 0, own, MPI_WEIGHTS_EMPTY, 1);
  const int first = 0, is_first = rank == 0;
  int all[most];
  for (int r = 0; r < size; ++r) all[r] = r;
  exchange_in_graph(is_first ? size : 0, all, is_first ? all : MPI_WEIGHTS_EMPTY, 1, &first, &rank, 0);
  int index[most], edges[2 * most];
  for (int r = 0; r < size; ++r) {
    index[r] = 2 * r + 2;
    edges[2 * r] = (r + size - 1) % size;
    edges[2 * r + 1] = (r + 1) % size;
  }
  MPI_Comm graph;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
  exchange_along(graph, 2, both, 1);
  begin_along(graph, 2, both, 1);
  MPI_Comm_free(&graph);
}

static void expect_edges(int sources, const int* from, const int* weights_from, int destinations, const int* to,
                         const int* weights_to, const char* words) {
  MPI_Comm graph;
  expect_words(MPI_Dist_graph_create_adjacent(copy_that_returns(NULL), sources, from, weights_from, destinations, to,
                                              weights_to, MPI_INFO_NULL, 0, &graph),
               words);
}
// The ring's edges, each of which both of its ranks list: but rank 1 lists another one, or gives another weight.
static void edges(void) {
  const int is_one = rank == 1, next = (rank + 1) % size, before = (rank + size - 1) % size;
  const int to[] = {next, before}, light[] = {2, 2}, other[] = {3, 2}, from[] = {before, before};
  expect_edges(1, from, MPI_UNWEIGHTED, is_one ? 2 : 1, to, MPI_UNWEIGHTED,
               "rank 1 lists 1 edge to rank 0, which lists 0 edges from there; all called "
               "MPI_Dist_graph_create_adjacent (on communicator ");
  expect_edges(is_one ? 2 : 1, from, light, 1, to, light,
               "rank 0 lists 1 edge to rank 1, which lists 2 edges from there; all called ");
  expect_edges(1, from, light, 1, to, is_one ? other : light,
               "rank 1 lists edges to rank 2 with weights 3, which lists them with 2; all called ");
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  for (int r = 0; r < size; ++r) ones[r] = 1, places[r] = 2 * r;
  static const struct Way ways[] = {{"edges", edges},
                                    {"neighbours", neighbours},
                                    {"neighbours_alike", neighbours_alike},
                                    {"neighbours_begun", neighbours_begun},
                                    {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
