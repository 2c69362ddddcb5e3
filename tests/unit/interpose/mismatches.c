// An MPI program that knows nothing of tutti, whose ranks pass what does not go together: counts of nonblocking
// collectives, MPI_IN_PLACE on some of them, buffers that overlap; and, in other ways, what only looks so. Prints "as
// expected" on rank 0, or what was not.
//
//     mismatches WAY

#include "unchanged.h"

enum { most = 64 };
static int in[4 * most], out[4 * most], ones[most], places[most], odd[most];

static MPI_Comm fresh(void) { return copy_that_returns(NULL); }

// Nobody gives more than is awaited, so that MPI has nothing to say. Ranks that no such message concerns hear nothing.
static void expect_flow(MPI_Request request, int hears, const char* words) {
  const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (hears)
    expect_words(code, words);
  else
    expect(code == MPI_SUCCESS, "a success elsewhere");
}

static void begun_counts(void) {
  MPI_Request request;
  const int is_concerned = rank < 2;
  odd[1] = 2;
  MPI_Igatherv(in, 1, MPI_INT, out, odd, places, MPI_INT, 0, fresh(), &request);
  expect_flow(request, is_concerned,
              "rank 1 sends 4 bytes to rank 0, which expects 8; all began MPI_Igatherv with root 0 (nonblocking "
              "collective 1 of ");
  MPI_Iscatterv(in, ones, places, MPI_INT, out, rank == 1 ? 2 : 1, MPI_INT, 0, fresh(), &request);
  expect_flow(request, is_concerned, "rank 0 sends 4 bytes to rank 1, which expects 8; all began MPI_Iscatterv with ");
  MPI_Iallgatherv(in, 1, MPI_INT, out, odd, places, MPI_INT, fresh(), &request);
  expect_flow(request, 1, "rank 1 sends 4 bytes to rank ");
  MPI_Ialltoallv(in, ones, places, MPI_INT, out, rank == 0 ? odd : ones, places, MPI_INT, fresh(), &request);
  expect_flow(request, is_concerned, "rank 1 sends 4 bytes to rank 0, which expects 8; all began MPI_Ialltoallv (");
  MPI_Datatype types[most];
  for (int r = 0; r < size; ++r) types[r] = MPI_INT;
  int bytes[most];
  for (int r = 0; r < size; ++r) bytes[r] = 8 * r;
  MPI_Ialltoallw(in, ones, bytes, types, out, rank == 0 ? odd : ones, bytes, types, fresh(), &request);
  expect_flow(request, is_concerned, "rank 1 sends 4 bytes to rank 0, which expects 8; all began MPI_Ialltoallw (");
  int twos[most];
  for (int r = 0; r < size; ++r) twos[r] = 2;
  MPI_Ireduce_scatter(in, out, rank == 0 ? twos : ones, MPI_INT, MPI_SUM, fresh(), &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE), "all began MPI_Ireduce_scatter with MPI_SUM (");
}

// Counts and types are each rank's own to describe, and lists that MPI does not read may be anything.
static void begun_counts_alike(void) {
  MPI_Request all[8];
  MPI_Status statuses[8];
  MPI_Datatype pair, types[most], pairs[most];
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  int twos[most], none[most] = {0}, bytes[most];
  for (int r = 0; r < size; ++r) twos[r] = 2, types[r] = MPI_INT, pairs[r] = pair, bytes[r] = 8 * r;
  const MPI_Comm copy = fresh();
  int n = 0;
  static int to[8][2 * most];
  MPI_Igatherv(rank == 1 ? MPI_IN_PLACE : in, 1, pair, to[0], rank == 1 ? twos : NULL, rank == 1 ? places : NULL,
               MPI_INT, 1, copy, &all[n++]);
  MPI_Iscatterv(in, rank == 0 ? ones : NULL, rank == 0 ? places : NULL, rank == 0 ? pair : MPI_DATATYPE_NULL,
                rank == 0 ? MPI_IN_PLACE : (void*)to[1], 2, MPI_INT, 0, copy, &all[n++]);
  MPI_Iallgatherv(in, 2, MPI_INT, to[2], ones, places, pair, copy, &all[n++]);
  MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to[3], twos, bytes, MPI_INT, copy, &all[n++]);
  MPI_Ialltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, to[4], ones, places, pair, copy, &all[n++]);
  MPI_Ialltoallw(in, rank == 0 ? ones : twos, bytes, rank == 0 ? pairs : types, to[5], rank == 1 ? ones : twos, bytes,
                 rank == 1 ? pairs : types, copy, &all[n++]);
  MPI_Ialltoallv(in, none, places, MPI_INT, to[6], none, places, MPI_DOUBLE, copy, &all[n++]);
  MPI_Ireduce_scatter(in, to[7], twos, MPI_INT, MPI_SUM, copy, &all[n++]);
  expect(MPI_Waitall(n, all, statuses) == MPI_SUCCESS, "a success");
  MPI_Type_free(&pair);
}

// Other types of one length, and one rank alone that is in place.
static void begun_kinds(void) {
  MPI_Request request;
  MPI_Iallreduce(in, out, 1, rank == 1 ? MPI_FLOAT : MPI_INT, MPI_SUM, fresh(), &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE),
               "rank 1 began MPI_Iallreduce with 4 bytes and MPI_SUM, of elements of type float; "
               "ranks 0, 2 began MPI_Iallreduce with 4 bytes and MPI_SUM, of elements of type int32 (");
  MPI_Ireduce_scatter(in, out, ones, rank == 1 ? MPI_UNSIGNED : MPI_INT, MPI_MAX, fresh(), &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE),
               "rank 1 began MPI_Ireduce_scatter with MPI_MAX, of elements of type uint32; ranks 0, 2 began ");
  const void* const input = rank == 1 ? MPI_IN_PLACE : (void*)in;
  MPI_Iallreduce(input, out, 1, MPI_INT, MPI_SUM, fresh(), &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE),
               "rank 1 began MPI_Iallreduce with 4 bytes, MPI_SUM and MPI_IN_PLACE; ranks 0, 2 began ");
  MPI_Iallgatherv(input, 1, MPI_INT, out, ones, places, MPI_INT, fresh(), &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE), "rank 1 began MPI_Iallgatherv with MPI_IN_PLACE; ranks 0, 2 ");
}

// Pairs of one length, in which a place is beside a value of another type: of what is called and of what is begun.
static void located(void) {
  const MPI_Datatype other = rank == 1 ? MPI_FLOAT_INT : MPI_2INT;
  expect_words(MPI_Allreduce(in, out, 1, other, MPI_MAXLOC, fresh()), "float and int");
  const MPI_Datatype longer = rank == 1 ? MPI_DOUBLE_INT : MPI_LONG_INT;
  expect_words(MPI_Reduce(in, out, 1, longer, MPI_MINLOC, 0, fresh()), "double and int");
  MPI_Request request;
  MPI_Iallreduce(in, out, 1, other, MPI_MAXLOC, fresh(), &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE),
               "rank 1 began MPI_Iallreduce with 8 bytes and MPI_MAXLOC, of elements of type float and int; "
               "ranks 0, 2 began MPI_Iallreduce with 8 bytes and MPI_MAXLOC, of elements of type two integers (");
  expect(MPI_Allreduce(in, out, 1, rank == 1 ? MPI_2INTEGER : MPI_2INT, MPI_MAXLOC, fresh()) == MPI_SUCCESS,
         "pairs that C and Fortran name differently");
}

// A rank awaits more than another one sends to it, of which MPIs say nothing.
static void types_of_each(void) {
  MPI_Datatype types[most], others[most];
  int bytes[most];
  for (int r = 0; r < size; ++r)
    types[r] = MPI_INT, others[r] = rank == 1 && r == 2 ? MPI_DOUBLE : MPI_INT, bytes[r] = 8 * r;
  expect_words(MPI_Alltoallw(in, ones, bytes, types, out, ones, bytes, others, fresh()),
               "rank 2 sends 4 bytes to rank 1, which expects 8");
  expect(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, out, ones, bytes, types, fresh()) == MPI_SUCCESS, "in place");
}

static void in_place(void) {
  const void* const input = rank == 1 ? MPI_IN_PLACE : (void*)in;
  const char* const moved = " with element type byte (MPI_IN_PLACE); ranks 0, 2 with element type byte (";
  expect_words(MPI_Allreduce(input, out, 2, MPI_INT, MPI_SUM, fresh()),
               "rank 1 called all_reduce with element type int32 (MPI_IN_PLACE); ranks 0, 2 with element type int32 (");
  expect_words(MPI_Reduce_scatter_block(input, out, 2, MPI_INT, MPI_SUM, fresh()),
               "rank 1 called reduce_scatter with element type int32 (MPI_IN_PLACE); ");
  expect_words(MPI_Allgatherv(input, 1, MPI_INT, out, ones, places, MPI_INT, fresh()), moved);
  expect_words(MPI_Alltoall(input, 1, MPI_INT, out, 1, MPI_INT, fresh()), moved);
  // Lengths are told in bytes all the same.
  expect_words(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, out, rank == 1 ? 2 : 1, MPI_INT, fresh()),
               "rank 1 called all_gather with 8 bytes; ranks 0, 2 with 4 bytes (");
}

// Ranks pass MPI_IN_PLACE where MPI takes it from none, or from the root alone.
static void in_place_of_some(void) {
  const void* const input = rank == 1 ? MPI_IN_PLACE : (void*)in;
  const MPI_Comm copy = fresh();
  expect(MPI_Scan(input, out, 2, MPI_INT, MPI_SUM, copy) == MPI_SUCCESS, "a scan");
  expect(MPI_Exscan(input, out, 2, MPI_INT, MPI_SUM, copy) == MPI_SUCCESS, "an exclusive scan");
  expect(MPI_Reduce_scatter(input, out, ones, MPI_INT, MPI_SUM, copy) == MPI_SUCCESS, "a reduction by counts");
  expect(MPI_Reduce(input, out, 2, MPI_INT, MPI_SUM, 1, copy) == MPI_SUCCESS, "a reduction");
  expect(MPI_Gather(input, 1, MPI_INT, out, 1, MPI_INT, 1, copy) == MPI_SUCCESS, "a gather");
  expect(MPI_Scatter(in, 1, MPI_INT, rank == 1 ? MPI_IN_PLACE : (void*)out, 1, MPI_INT, 1, copy) == MPI_SUCCESS,
         "a scatter");
  expect(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, out, ones, places, MPI_INT, copy) == MPI_SUCCESS, "of all");
  expect(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, out, 1, MPI_INT, copy) == MPI_SUCCESS, "of all");
  expect(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, out, ones, places, MPI_INT, copy) == MPI_SUCCESS, "of all");
}

// Rank 1 alone has the mistake, and all ranks get what MPI would have given them.
static void overlaps(void) {
  const int is_mine = rank == 1;
  int* const close = is_mine ? in + 1 : out;
  for (int k = 0; k < 8; ++k) in[k] = k;
  const int code = MPI_Allreduce(in, close, 4, MPI_INT, MPI_SUM, fresh());
  for (int k = 0; k < 4; ++k) expect(close[k] == size * k, "the sums");
  const char* const words = "all_reduce: what rank 1 sends and what it receives have 12 bytes in common; MPI wants ";
  if (is_mine)
    expect_words(code, words);
  else
    expect(code == MPI_SUCCESS, "a success elsewhere");
  const int gathered = MPI_Gather(is_mine ? out + 2 : in, 1, MPI_INT, out, 1, MPI_INT, 1, fresh());
  if (is_mine)
    expect_words(gathered, "gather: what rank 1 sends and what it receives have 4 bytes in common; ");
  else
    expect(gathered == MPI_SUCCESS, "a success elsewhere");
  const int moved = MPI_Alltoallv(is_mine ? out + 2 : in, ones, places, MPI_INT, out, ones, places, MPI_INT, fresh());
  if (is_mine)
    expect_words(moved, "all_to_all_v: what rank 1 sends and what it receives have 8 bytes in common; ");
  else
    expect(moved == MPI_SUCCESS, "a success elsewhere");
}

// Expects those words of a call that returns before it has ended. MPICH ends a program that it makes copy within one
// buffer, after what is wrong was told.
static void expect_overlap(int code, const char* words) {
  if (rank == 1)
    expect_words(code, words);
  else
    expect(code == MPI_SUCCESS, "a success elsewhere");
}

static void overlaps_begun(void) {
  const int is_mine = rank == 1;
  int* const close = is_mine ? in + 1 : out;
  const MPI_Comm copy = fresh();
  MPI_Request all[6];
  MPI_Status statuses[6];
  expect_overlap(
      MPI_Iallreduce(in, close, 4, MPI_INT, MPI_SUM, copy, &all[0]),
      "MPI_Iallreduce: what rank 1 sends and what it receives have 12 bytes in common; MPI wants them apart, ");
  expect_overlap(MPI_Igather(is_mine ? out + 2 : in, 1, MPI_INT, out, 1, MPI_INT, 1, copy, &all[1]),
                 "MPI_Igather: what rank 1 sends and what it receives have 4 bytes in common; ");
  expect_overlap(MPI_Iscatter(in, 1, MPI_INT, close, 1, MPI_INT, 1, copy, &all[2]),
                 "MPI_Iscatter: what rank 1 sends and what it receives have 4 bytes in common; ");
  expect_overlap(MPI_Ialltoall(in, 1, MPI_INT, close, 1, MPI_INT, copy, &all[3]),
                 "MPI_Ialltoall: what rank 1 sends and what it receives have 8 bytes in common; ");
  expect_overlap(MPI_Iallgather(is_mine ? out + 2 : in, 1, MPI_INT, out, 1, MPI_INT, copy, &all[4]),
                 "MPI_Iallgather: what rank 1 sends and what it receives have 4 bytes in common; ");
  expect_overlap(MPI_Iexscan(in, close, 4, MPI_INT, MPI_SUM, copy, &all[5]),
                 "MPI_Iexscan: what rank 1 sends and what it receives have 12 bytes in common; ");
  expect(MPI_Waitall(6, all, statuses) == MPI_SUCCESS, "all have ended");
}

static void overlaps_sent(void) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int* const close = rank == 1 ? in + 1 : out;
  expect_overlap(
      MPI_Sendrecv(in, 4, MPI_INT, next, 0, close, 4, MPI_INT, previous, 0, fresh(), MPI_STATUS_IGNORE),
      "MPI_Sendrecv: what rank 1 sends and what it receives have 12 bytes in common; MPI wants them apart; ");
}

// Between the blocks of one buffer those of another one may lie; what is not read or not written may be anywhere.
static void interleaves(void) {
  const MPI_Comm copy = fresh();
  expect(MPI_Alltoallv(out + 1, ones, places, MPI_INT, out, ones, places, MPI_INT, copy) == MPI_SUCCESS,
         "odd and even");
  expect(MPI_Allgatherv(out + 1, 1, MPI_INT, out, ones, places, MPI_INT, copy) == MPI_SUCCESS, "in a gap");
  MPI_Datatype every_other, apart;
  MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
  MPI_Type_commit(&every_other);
  MPI_Type_commit(&apart);
  expect(MPI_Allgather(out + 1, 1, MPI_INT, out, 1, apart, copy) == MPI_SUCCESS, "between elements");
  expect(MPI_Gather(out, 1, every_other, out + (rank == 0 ? 64 : 1), 3, MPI_INT, 0, copy) == MPI_SUCCESS, "elsewhere");
  expect(MPI_Reduce(out, out + (rank == 0 ? 64 : 1), 8, MPI_INT, MPI_SUM, 0, copy) == MPI_SUCCESS, "elsewhere");
  expect(MPI_Exscan(out, out + (rank == 0 ? 1 : 64), 8, MPI_INT, MPI_SUM, copy) == MPI_SUCCESS, "a first rank");
  expect(MPI_Allreduce(out, out, 0, MPI_INT, MPI_SUM, copy) == MPI_SUCCESS, "nothing");
  MPI_Request all[4];
  MPI_Status statuses[4];
  MPI_Iallgather(out + 1, 1, MPI_INT, out, 1, apart, copy, &all[0]);
  MPI_Igather(out + 100, 3, MPI_INT, out + (rank == 0 ? 128 : 101), 3, MPI_INT, 0, copy, &all[1]);
  MPI_Ireduce(out + 200, out + (rank == 0 ? 220 : 201), 4, MPI_INT, MPI_SUM, 0, copy, &all[2]);
  MPI_Iexscan(out + 240, out + (rank == 0 ? 241 : 250), 4, MPI_INT, MPI_SUM, copy, &all[3]);
  expect(MPI_Waitall(4, all, statuses) == MPI_SUCCESS, "what is begun");
  const int to = rank == 0 ? 1 : MPI_PROC_NULL, from = rank == 1 ? 0 : MPI_PROC_NULL;
  expect(MPI_Sendrecv(in, 4, MPI_INT, to, 0, in, 4, MPI_INT, from, 0, copy, MPI_STATUS_IGNORE) == MPI_SUCCESS,
         "one message alone");
  expect(MPI_Sendrecv(in, 4, MPI_INT, rank, 0, in + 4, 4, MPI_INT, rank, 0, copy, MPI_STATUS_IGNORE) == MPI_SUCCESS,
         "side by side");
  MPI_Type_free(&every_other);
  MPI_Type_free(&apart);
}

// Returns an intercommunicator of the odd and of the even ranks.
static MPI_Comm between(void) {
  MPI_Comm half, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &both);
  MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
  MPI_Comm_free(&half);
  return both;
}

// Ranks of one group call different functions, then both groups, and then those of one group pass different counts.
static void between_groups(void) {
  MPI_Comm both = between();
  expect_words(rank == 1 ? MPI_Barrier(both) : MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, both),
               "rank 1 called MPI_Barrier; ranks 0, 2 called MPI_Allreduce (ranks of MPI_COMM_WORLD, on ");
  both = between();
  expect_words(rank == 2 ? MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, both) : MPI_Barrier(both),
               "rank 2 called MPI_Alltoall; ranks 0, 1 called MPI_Barrier (ranks of MPI_COMM_WORLD, on ");
  // Counts of one sum, which the ranks of one group divide differently.
  const int as_many[] = {0, 2};
  const int* const counts = rank == 0 ? ones : rank == 2 ? as_many : &as_many[1];
  both = between();
  expect_words(
      MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, both),
      "rank 2 called MPI_Reduce_scatter with blocks of 0, 8 bytes; rank 0 called MPI_Reduce_scatter with blocks "
      "of 4, 4 bytes (ranks of MPI_COMM_WORLD, on ");
}

// Returns a rank's argument where the root is rank 0, of the even ranks.
static int root_of_groups(void) { return rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL; }

// Both groups hear the same, whoever has the mistake.
static void between_groups_by_roots(void) {
  const int root = root_of_groups(), is_one = rank == 1;
  expect_words(MPI_Bcast(in, is_one ? 2 : 3, MPI_INT, root, between()),
               "rank 0 sends 12 bytes to rank 1, which expects 8; all called MPI_Bcast (ranks of MPI_COMM_WORLD, on ");
  expect_words(MPI_Bcast(in, 3, MPI_INT, rank == 2 ? MPI_ROOT : root, between()),
               "rank 1 called MPI_Bcast with root 0 of the other group; ranks 0, 2 called MPI_Bcast with MPI_ROOT (");
  expect_words(MPI_Barrier(between()) == MPI_SUCCESS ? MPI_Bcast(in, 3, MPI_INT, 0, between()) : MPI_SUCCESS,
               "ranks 0, 1, 2 called MPI_Bcast with root 0 of the other group (");
  expect_words(
      MPI_Reduce(in, out, is_one ? 2 : 3, MPI_INT, MPI_SUM, root, between()),
      "rank 1 called MPI_Reduce with 8 bytes and MPI_SUM; rank 0 called MPI_Reduce with 12 bytes and MPI_SUM (");
  expect_words(MPI_Gather(in, is_one ? 2 : 1, MPI_INT, out, 1, MPI_INT, root, between()),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Gather (");
  expect_words(MPI_Scatter(in, 1, MPI_INT, out, is_one ? 2 : 1, MPI_INT, root, between()),
               "rank 0 sends 4 bytes to rank 1, which expects 8; all called MPI_Scatter (");
  expect_words(MPI_Gatherv(in, is_one ? 2 : 1, MPI_INT, out, ones, places, MPI_INT, root, between()),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Gatherv (");
  expect_words(MPI_Scatterv(in, ones, places, MPI_INT, out, is_one ? 2 : 1, MPI_INT, root, between()),
               "rank 0 sends 4 bytes to rank 1, which expects 8; all called MPI_Scatterv (");
}

static void between_groups_of_all(void) {
  const int is_one = rank == 1;
  expect_words(MPI_Allreduce(in, out, is_one ? 2 : 3, MPI_INT, MPI_SUM, between()),
               "rank 1 called MPI_Allreduce with 8 bytes and MPI_SUM; ranks 0, 2 called MPI_Allreduce with 12 bytes ");
  expect_words(MPI_Allreduce(in, out, 1, rank == 2 ? MPI_FLOAT : MPI_INT, MPI_SUM, between()),
               "rank 2 called MPI_Allreduce, of elements of type float; ranks 0, 1 called MPI_Allreduce, of ");
  expect_words(MPI_Reduce_scatter_block(in, out, 2, MPI_INT, rank == 2 ? MPI_MAX : MPI_SUM, between()),
               "with 16 bytes and MPI_MAX; ");
  expect_words(
      MPI_Reduce_scatter(in, out, ones, MPI_INT, MPI_SUM, between()),
      "rank 1 called MPI_Reduce_scatter with 4 bytes and MPI_SUM; ranks 0, 2 called MPI_Reduce_scatter with 8 ");
  expect_words(MPI_Allgather(in, is_one ? 2 : 1, MPI_INT, out, 1, MPI_INT, between()),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Allgather (");
  expect_words(MPI_Alltoall(in, is_one ? 2 : 1, MPI_INT, out, 1, MPI_INT, between()),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Alltoall (");
  expect_words(MPI_Allgatherv(in, is_one ? 2 : 1, MPI_INT, out, ones, places, MPI_INT, between()),
               "rank 1 sends 8 bytes to rank 0, which expects 4; all called MPI_Allgatherv (");
  odd[1] = 2;
  expect_words(MPI_Alltoallv(in, is_one ? odd : ones, places, MPI_INT, out, ones, places, MPI_INT, between()),
               "rank 1 sends 8 bytes to rank 2, which expects 4; all called MPI_Alltoallv (");
}

// Each rank hears what goes wrong between it and the other group.
static void between_groups_begun(void) {
  const int root = root_of_groups(), is_one = rank == 1;
  MPI_Request request;
  MPI_Ibcast(in, is_one ? 4 : 3, MPI_INT, root, between(), &request);
  expect_flow(request, rank < 2,
              "rank 0 sends 12 bytes to rank 1, which expects 16; all began MPI_Ibcast (ranks of MPI_COMM_WORLD, "
              "nonblocking collective 1 of intercommunicator ");
  MPI_Iallreduce(in, out, 3, MPI_INT, is_one ? MPI_MAX : MPI_SUM, between(), &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE), "rank 1 began MPI_Iallreduce with 12 bytes and MPI_MAX");
}

// The root's group passes MPI_ROOT and MPI_PROC_NULL, where nothing else counts, and what a group sends may be of
// another length than what it receives.
static void between_groups_alike(void) {
  MPI_Comm both = between(), copy, merged;
  MPI_Request request;
  const int is_odd = rank % 2, root = is_odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  const int looks_on = root == MPI_PROC_NULL;
  // Both sides have as much in all, divided otherwise.
  int own, others, counts[most];
  MPI_Comm_size(both, &own);
  MPI_Comm_remote_size(both, &others);
  for (int r = 0; r < own; ++r) counts[r] = others;
  if (!is_odd && own > 1) --counts[0], ++counts[1];
  for (int k = 0; k < 2; ++k) {
    expect(MPI_Barrier(both) == MPI_SUCCESS, "a barrier");
    expect(MPI_Bcast(in, rank == 0 || is_odd ? 3 : 0, MPI_INT, root, both) == MPI_SUCCESS, "a broadcast");
    expect(MPI_Reduce(in, out, looks_on ? 0 : 2, looks_on ? MPI_DOUBLE : MPI_INT, MPI_SUM, root, both) == MPI_SUCCESS,
           "a reduction");
    expect(MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, root, both) == MPI_SUCCESS, "a gather");
    expect(MPI_Allgather(in, is_odd ? 2 : 1, MPI_INT, out, is_odd ? 1 : 2, MPI_INT, both) == MPI_SUCCESS, "of all");
    expect(MPI_Alltoall(in, is_odd ? 2 : 0, MPI_INT, out, is_odd ? 0 : 2, MPI_INT, both) == MPI_SUCCESS, "to all");
    expect(MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, both) == MPI_SUCCESS, "a reduction to all");
    expect(MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, both) == MPI_SUCCESS, "a reduction by counts");
    MPI_Ireduce_scatter(in, out, counts, MPI_INT, MPI_SUM, both, &request);
    expect(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "one by counts that is begun");
    MPI_Ibarrier(both, &request);
    expect(MPI_Barrier(both) == MPI_SUCCESS, "a barrier meanwhile");
    expect(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "the one before");
    MPI_Ibcast(in, 3, MPI_INT, root, both, &request);
    expect(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "a broadcast that is begun");
    MPI_Iallgather(in, is_odd ? 2 : 1, MPI_INT, out, is_odd ? 1 : 2, MPI_INT, both, &request);
    expect(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "of all that are begun");
  }
  MPI_Comm_dup(both, &copy);
  expect(MPI_Barrier(copy) == MPI_SUCCESS, "a barrier of a copy");
  MPI_Intercomm_merge(copy, is_odd, &merged);
  expect_sums(merged, 4);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&both);
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  for (int r = 0; r < size; ++r) ones[r] = odd[r] = 1, places[r] = 2 * r;
  static const struct Way ways[] = {{"between_groups", between_groups},
                                    {"between_groups_alike", between_groups_alike},
                                    {"between_groups_begun", between_groups_begun},
                                    {"between_groups_by_roots", between_groups_by_roots},
                                    {"between_groups_of_all", between_groups_of_all},
                                    {"begun_counts", begun_counts},
                                    {"begun_counts_alike", begun_counts_alike},
                                    {"begun_kinds", begun_kinds},
                                    {"in_place", in_place},
                                    {"in_place_of_some", in_place_of_some},
                                    {"interleaves", interleaves},
                                    {"located", located},
                                    {"overlaps", overlaps},
                                    {"overlaps_begun", overlaps_begun},
                                    {"overlaps_sent", overlaps_sent},
                                    {"types_of_each", types_of_each},
                                    {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
