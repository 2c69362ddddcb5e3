// An MPI program that knows nothing of tutti, whose ranks give buffers that they may not give: MPI_IN_PLACE where it has
// no meaning, null where there is something to read or write; and, in other ways, what only looks so. Prints "as expected"
// on rank 0, or what was not.
//
//     buffers WAY

#include "unchanged.h"

enum { most = 16 };
static int in[4 * most], out[4 * most], ones[most], places[most], none[most];
static MPI_Datatype ints[most];

static MPI_Comm fresh(void) { return copy_that_returns(NULL); }

// An argument that a rank may not give is told before MPI is entered, and no request is made.
static void refused(int code, const char* words) { expect_words(code, words); }

#define IN_PLACE_NOWHERE(CALL, NAME) \
  refused(CALL, "rank 0 gave MPI_IN_PLACE to " NAME ", which no rank may; pass where what it ")
#define IN_PLACE_OF_OTHER(CALL, WHICH, NAME, OTHER)                                                               \
  refused(CALL, "rank 0 gave MPI_IN_PLACE as the " WHICH " to " NAME ", which no rank may; pass it as the " OTHER \
                " instead")
#define NULL_OF(CALL, WHICH, NAME, VERB, BYTES)                                                                        \
  refused(CALL, "rank 0 gave NULL as the " WHICH " to " NAME ", which only a rank that " VERB " nothing may; it " VERB \
                " " BYTES)

// On a communicator of one rank, where nobody waits: each call and each of its buffers.
static void alone(void) {
  const MPI_Comm self = MPI_COMM_SELF;
  MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
  MPI_Request r;
  IN_PLACE_NOWHERE(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, self), "MPI_Bcast");
  IN_PLACE_NOWHERE(MPI_Ibcast(MPI_IN_PLACE, 1, MPI_INT, 0, self, &r), "MPI_Ibcast");
  IN_PLACE_OF_OTHER(MPI_Reduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, self), "receive buffer", "MPI_Reduce",
                    "send buffer");
  IN_PLACE_OF_OTHER(MPI_Ireduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, self, &r), "receive buffer", "MPI_Ireduce",
                    "send buffer");
  IN_PLACE_OF_OTHER(MPI_Allreduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, self), "receive buffer", "MPI_Allreduce",
                    "send buffer");
  IN_PLACE_OF_OTHER(MPI_Iallreduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, self, &r), "receive buffer", "MPI_Iallreduce",
                    "send buffer");
  IN_PLACE_OF_OTHER(MPI_Scan(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, self), "receive buffer", "MPI_Scan", "send buffer");
  IN_PLACE_OF_OTHER(MPI_Reduce_scatter(in, MPI_IN_PLACE, ones, MPI_INT, MPI_SUM, self), "receive buffer",
                    "MPI_Reduce_scatter", "send buffer");
  IN_PLACE_OF_OTHER(MPI_Reduce_scatter_block(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, self), "receive buffer",
                    "MPI_Reduce_scatter_block", "send buffer");
  IN_PLACE_OF_OTHER(MPI_Gather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, self), "receive buffer", "MPI_Gather",
                    "send buffer");
  IN_PLACE_OF_OTHER(MPI_Igatherv(in, 1, MPI_INT, MPI_IN_PLACE, ones, places, MPI_INT, 0, self, &r), "receive buffer",
                    "MPI_Igatherv", "send buffer");
  IN_PLACE_OF_OTHER(MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, 0, self), "send buffer", "MPI_Scatter",
                    "receive buffer");
  IN_PLACE_OF_OTHER(MPI_Iscatterv(MPI_IN_PLACE, ones, places, MPI_INT, out, 1, MPI_INT, 0, self, &r), "send buffer",
                    "MPI_Iscatterv", "receive buffer");
  IN_PLACE_OF_OTHER(MPI_Allgather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, self), "receive buffer", "MPI_Allgather",
                    "send buffer");
  IN_PLACE_OF_OTHER(MPI_Allgatherv(in, 1, MPI_INT, MPI_IN_PLACE, ones, places, MPI_INT, self), "receive buffer",
                    "MPI_Allgatherv", "send buffer");
  IN_PLACE_OF_OTHER(MPI_Alltoall(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, self), "receive buffer", "MPI_Alltoall",
                    "send buffer");
  IN_PLACE_OF_OTHER(MPI_Alltoallv(in, ones, places, MPI_INT, MPI_IN_PLACE, ones, places, MPI_INT, self),
                    "receive buffer", "MPI_Alltoallv", "send buffer");
  IN_PLACE_OF_OTHER(MPI_Alltoallw(in, ones, places, ints, MPI_IN_PLACE, ones, places, ints, self), "receive buffer",
                    "MPI_Alltoallw", "send buffer");
  IN_PLACE_OF_OTHER(MPI_Ialltoallw(in, ones, places, ints, MPI_IN_PLACE, ones, places, ints, self, &r),
                    "receive buffer", "MPI_Ialltoallw", "send buffer");

  NULL_OF(MPI_Bcast(NULL, 1, MPI_INT, 0, self), "buffer", "MPI_Bcast", "sends", "4 bytes");
  NULL_OF(MPI_Ibcast(NULL, 2, MPI_INT, 0, self, &r), "buffer", "MPI_Ibcast", "sends", "8 bytes");
  NULL_OF(MPI_Reduce(NULL, out, 1, MPI_INT, MPI_SUM, 0, self), "send buffer", "MPI_Reduce", "sends", "4 bytes");
  NULL_OF(MPI_Reduce(in, NULL, 1, MPI_INT, MPI_SUM, 0, self), "receive buffer", "MPI_Reduce", "receives", "4 bytes");
  NULL_OF(MPI_Allreduce(MPI_IN_PLACE, NULL, 1, MPI_INT, MPI_SUM, self), "receive buffer", "MPI_Allreduce", "has",
          "4 bytes");
  NULL_OF(MPI_Iallreduce(NULL, out, 1, MPI_INT, MPI_SUM, self, &r), "send buffer", "MPI_Iallreduce", "sends",
          "4 bytes");
  NULL_OF(MPI_Exscan(NULL, out, 1, MPI_INT, MPI_SUM, self), "send buffer", "MPI_Exscan", "sends", "4 bytes");
  NULL_OF(MPI_Gather(in, 1, MPI_INT, NULL, 1, MPI_INT, 0, self), "receive buffer", "MPI_Gather", "receives", "4 bytes");
  NULL_OF(MPI_Scatterv(NULL, ones, places, MPI_INT, out, 1, MPI_INT, 0, self), "send buffer", "MPI_Scatterv", "sends",
          "4 bytes");
  NULL_OF(MPI_Alltoallw(NULL, ones, places, ints, out, ones, places, ints, self), "send buffer", "MPI_Alltoallw",
          "sends", "4 bytes");
  refused(
      MPI_Gatherv(in, 1, MPI_INT, out, NULL, places, MPI_INT, 0, self),
      "rank 0 gave NULL as the list of counts for the receive buffer to MPI_Gatherv, which reads one for each rank");
  refused(
      MPI_Scatterv(in, ones, NULL, MPI_INT, out, 1, MPI_INT, 0, self),
      "rank 0 gave NULL as the list of displacements for the send buffer to MPI_Scatterv, which reads one for each ");
  refused(MPI_Alltoallw(in, ones, places, NULL, out, ones, places, ints, self),
          "rank 0 gave NULL as the list of types for the send buffer to MPI_Alltoallw, which reads one for each rank");

  // A type that begins beside the element says where its data lie, but nobody has memory there.
  MPI_Datatype behind;
  MPI_Aint place = 8;
  MPI_Type_create_hindexed_block(1, 1, &place, MPI_INT, &behind);
  MPI_Type_commit(&behind);
  NULL_OF(MPI_Bcast(NULL, 1, behind, 0, self), "buffer", "MPI_Bcast", "sends", "4 bytes");
  MPI_Type_free(&behind);

  const int alone_in_ring = 1, is_ring = 1;
  MPI_Comm ring;
  MPI_Cart_create(self, 1, &alone_in_ring, &is_ring, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  IN_PLACE_NOWHERE(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, ring), "MPI_Neighbor_allgather");
  IN_PLACE_NOWHERE(MPI_Ineighbor_alltoall(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, ring, &r),
                   "MPI_Ineighbor_alltoall");
  NULL_OF(MPI_Neighbor_alltoall(in, 1, MPI_INT, NULL, 1, MPI_INT, ring), "receive buffer", "MPI_Neighbor_alltoall",
          "receives", "8 bytes");
#ifdef MPICH_VERSION
  IN_PLACE_NOWHERE(MPI_Bcast_c(MPI_IN_PLACE, 1, MPI_INT, 0, self), "MPI_Bcast");
  NULL_OF(MPI_Iallreduce_c(NULL, out, 1, MPI_INT, MPI_SUM, self, &r), "send buffer", "MPI_Iallreduce", "sends",
          "4 bytes");
  IN_PLACE_NOWHERE(MPI_Bcast_init(MPI_IN_PLACE, 1, MPI_INT, 0, self, MPI_INFO_NULL, &r), "MPI_Bcast_init");
  NULL_OF(MPI_Gather_init_c(NULL, 1, MPI_INT, out, 1, MPI_INT, 0, self, MPI_INFO_NULL, &r), "send buffer",
          "MPI_Gather_init", "sends", "4 bytes");
#endif
}

// The last rank is not the root, and gives MPI_IN_PLACE as only the root may. The others hear of it, instead of waiting.
static void expect_of_last(int code, const char* name) {
  char words[200], wrong[100];
  snprintf(words, sizeof(words),
           "rank %d gave MPI_IN_PLACE to %s, which only the root, rank 0, may; pass where what it ", size - 1, name);
  snprintf(wrong, sizeof(wrong), "rank %d called %s with a wrong buffer; ", size - 1, name);
  expect_words(code, rank == size - 1 ? words : wrong);
}

static void rooted(void) {
  const int is_last = rank == size - 1;
  const void* const input = is_last ? MPI_IN_PLACE : (void*)in;
  void* const output = is_last ? MPI_IN_PLACE : (void*)out;
  expect_of_last(MPI_Reduce(input, out, 4, MPI_INT, MPI_SUM, 0, fresh()), "MPI_Reduce");
  expect_of_last(MPI_Gather(input, 1, MPI_INT, out, 1, MPI_INT, 0, fresh()), "MPI_Gather");
  expect_of_last(MPI_Gatherv(input, 1, MPI_INT, out, ones, places, MPI_INT, 0, fresh()), "MPI_Gatherv");
  expect_of_last(MPI_Scatter(in, 1, MPI_INT, output, 1, MPI_INT, 0, fresh()), "MPI_Scatter");
  expect_of_last(MPI_Scatterv(in, ones, places, MPI_INT, output, 1, MPI_INT, 0, fresh()), "MPI_Scatterv");
}

static void rooted_begun(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  const void* const input = rank == size - 1 ? MPI_IN_PLACE : (void*)in;
  int code = MPI_Ireduce(input, out, 4, MPI_INT, MPI_SUM, 0, fresh(), &request);
  if (rank == size - 1) {
    expect_words(code, "gave MPI_IN_PLACE to MPI_Ireduce, which only the root, rank 0, may");
  } else {
    expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE), "began MPI_Ireduce with a wrong buffer");
  }
}

// Ends in the communicator's own handler.
static void fatal(void) {
  const void* const input = rank == 1 ? NULL : (void*)in;
  MPI_Allreduce(input, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static MPI_Comm between_groups(void) {
  MPI_Comm group, both;
  const int upper = rank >= 1;
  MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, upper ? 0 : 1, 7, &both);
  MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
  MPI_Comm_free(&group);
  return both;
}

static void between(void) {
  const void* const input = rank == 0 ? MPI_IN_PLACE : (void*)in;
  const int code = MPI_Allreduce(input, out, 1, MPI_INT, MPI_SUM, between_groups());
  expect_words(code, rank == 0 ? "rank 0 of MPI_COMM_WORLD gave MPI_IN_PLACE to MPI_Allreduce, which no rank of an "
                                 "intercommunicator may"
                               : "rank 0 called MPI_Allreduce with a wrong buffer; ");
}

static void expect_success(int code, const char* what) { expect(code == MPI_SUCCESS, what); }

// Arguments that MPI does not read may be anything, and elements may lie at addresses that their type has.
static void allowed(void) {
  const MPI_Comm copy = fresh();
  const int is_root = rank == 0;
  void* const nowhere = (void*)17;
  expect_success(MPI_Bcast(NULL, 0, MPI_INT, 0, copy), "a broadcast of nothing");
  expect_success(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, copy), "a reduction of nothing");
  expect_success(MPI_Reduce(in, is_root ? (void*)out : NULL, 2, MPI_INT, MPI_SUM, 0, copy), "a reduction");
  expect_success(
      MPI_Reduce(is_root ? MPI_IN_PLACE : (void*)in, is_root ? (void*)out : MPI_IN_PLACE, 2, MPI_INT, MPI_SUM, 0, copy),
      "in place");
  expect_success(MPI_Gather(in, 1, MPI_INT, is_root ? (void*)out : NULL, is_root ? 1 : -3,
                            is_root ? MPI_INT : MPI_DATATYPE_NULL, 0, copy),
                 "a gather");
  expect_success(MPI_Gatherv(in, 1, MPI_INT, is_root ? (void*)out : NULL, is_root ? ones : NULL,
                             is_root ? places : NULL, is_root ? MPI_INT : MPI_DATATYPE_NULL, 0, copy),
                 "by counts");
  expect_success(MPI_Scatter(is_root ? (void*)in : nowhere, is_root ? 1 : -5, is_root ? MPI_INT : MPI_DATATYPE_NULL,
                             out, 1, MPI_INT, 0, copy),
                 "a scatter");
  expect_success(MPI_Scatter(is_root ? (void*)in : MPI_IN_PLACE, 1, MPI_INT, is_root ? MPI_IN_PLACE : (void*)out, 1,
                             MPI_INT, 0, copy),
                 "in place");
  expect_success(MPI_Exscan(in, is_root ? NULL : (void*)out, 2, MPI_INT, MPI_SUM, copy), "an exclusive scan");
  expect_success(MPI_Alltoallv(NULL, none, places, MPI_INT, NULL, none, places, MPI_INT, copy), "blocks of nothing");
  int bytes[most];
  for (int r = 0; r < size; ++r) bytes[r] = r * (int)sizeof(int);
  expect_success(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, out, ones, bytes, ints, copy), "in place");
  int few[most] = {0};
  few[0] = 3;
  expect_success(MPI_Reduce_scatter(in, is_root ? (void*)out : NULL, few, MPI_INT, MPI_SUM, copy), "blocks of some");
  MPI_Datatype there;
  MPI_Aint place;
  MPI_Get_address(out, &place);
  MPI_Type_create_hindexed_block(1, 4, &place, MPI_INT, &there);
  MPI_Type_commit(&there);
  out[3] = rank;
  expect_success(MPI_Bcast(MPI_BOTTOM, 1, there, size - 1, copy), "a broadcast at addresses");
  expect(out[3] == size - 1, "what was sent");
  MPI_Request request;
  expect_success(MPI_Ibcast(MPI_BOTTOM, 1, there, 0, copy, &request), "a broadcast at addresses");
  expect_success(MPI_Wait(&request, MPI_STATUS_IGNORE), "its end");
  MPI_Type_free(&there);
  expect_sum(copy);
}

// A type for each rank, whose data begin elsewhere in each, in place.
static void each_in_place(void) {
  for (int lead = 0; lead <= 40; lead += 20) {
    for (int way = 0; way < 3; ++way) {
      static int data[1000];
      int counts[most], from[most], lengths[most], first[most], at = 0;
      MPI_Datatype types[most];
      for (int p = 0; p < size; ++p) {
        int begin = lead * (p + 1) % 50;
        counts[p] = 1, from[p] = at * (int)sizeof(int), lengths[p] = rank + p + 1, first[p] = at + begin;
        MPI_Type_indexed(1, &lengths[p], &begin, MPI_INT, &types[p]);
        MPI_Type_commit(&types[p]);
        for (int k = 0; k < lengths[p]; ++k) data[first[p] + k] = 10000 * rank + 100 * p + k;
        at = first[p] + lengths[p];
      }
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Status status;
      const MPI_Comm world = MPI_COMM_WORLD;
      if (way == 0) MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, from, types, world);
      if (way == 1) MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, from, types, world, &request);
#ifdef MPICH_VERSION
      if (way == 2) {
        MPI_Alltoallw_init(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, from, types, world, MPI_INFO_NULL, &request);
        MPI_Start(&request);
      }
#else
      if (way == 2) MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, from, types, world);
#endif
      for (int p = 0; p < size; ++p) MPI_Type_free(&types[p]);
      MPI_Wait(&request, &status);
      if (way == 2 && request != MPI_REQUEST_NULL) MPI_Request_free(&request);
      for (int p = 0; p < size; ++p)
        for (int k = 0; k < lengths[p]; ++k)
          expect(data[first[p] + k] == 10000 * p + 100 * rank + k, "what was exchanged");
    }
  }
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  for (int r = 0; r < most; ++r) ones[r] = 1, places[r] = r, ints[r] = MPI_INT;
  const struct Way ways[] = {
      {"alone", alone},     {"rooted", rooted},   {"rooted_begun", rooted_begun},   {"fatal", fatal},
      {"between", between}, {"allowed", allowed}, {"each_in_place", each_in_place}, {NULL, NULL}};
  expect(argc == 2, "one way");
  run_way(ways, argv[1]);
  say_as_expected();
  MPI_Finalize();
  return 0;
}
