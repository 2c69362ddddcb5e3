// An MPI program that knows nothing of tutti, and calls collectives with arguments that MPI refuses, or that others
// would refuse: each gets from MPI_X what it gets from PMPI_X, which nobody takes over. Prints "as expected" on rank 0,
// or what was not.
//
//     arguments WAY

#include "unchanged.h"

enum { most_ranks = 64, block = 3, room = 2 * block * most_ranks };
static int in[room], out[room], counts[most_ranks], places[most_ranks], spread[most_ranks];
static int none[most_ranks], bytes[most_ranks], bytes_spread[most_ranks];
static MPI_Datatype ints[most_ranks];
static MPI_Comm comm;

static void fill(void) {
  for (int k = 0; k < room; ++k) in[k] = rank * room + k, out[k] = -1;
  for (int r = 0; r < size; ++r) {
    counts[r] = block, places[r] = r * block, spread[r] = 2 * r * block, ints[r] = MPI_INT;
    bytes[r] = places[r] * (int)sizeof(int), bytes_spread[r] = spread[r] * (int)sizeof(int);
  }
}

static int class_of(int code) {
  int class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  return class;
}

// Errors that a call has told: the class of its own code, and those that its handlers got, on which communicator.
struct Told {
  int class, times, on_world, on_comm;
};
static struct Told told;
static void hear(MPI_Comm* on, int* code, ...) {
  const int class = class_of(*code);
  ++told.times;
  told.on_world += *on == MPI_COMM_WORLD ? class : 0;
  told.on_comm += *on == comm ? class : 0;
}

static struct Told of_call(int code) {
  struct Told all = told;
  all.class = class_of(code);
  memset(&told, 0, sizeof(told));
  return all;
}

static void expect_alike(const char* what, struct Told by_us, struct Told by_mpi) {
  const int are_alike = memcmp(&by_us, &by_mpi, sizeof(by_us)) == 0;
  if (!are_alike)
    printf("class %d, %d times, instead of %d, %d times: ", by_us.class, by_us.times, by_mpi.class, by_mpi.times);
  expect(are_alike, what);
}

// Calls CALL by both libraries: both get an error, or neither does.
#define ALIKE(CALL, ...)                                            \
  do {                                                              \
    memset(&told, 0, sizeof(told));                                 \
    fill();                                                         \
    memset(&told, 0, sizeof(told));                                 \
    const struct Told by_us = of_call(MPI_##CALL(__VA_ARGS__));     \
    fill();                                                         \
    const struct Told by_mpi = of_call(PMPI_##CALL(__VA_ARGS__));   \
    expect_alike("MPI_" #CALL "(" #__VA_ARGS__ ")", by_us, by_mpi); \
  } while (0)

static void refused(void) {
  MPI_Datatype apart;
  MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
  ALIKE(Bcast, in, 1, MPI_INT, MPI_ROOT, comm);
  ALIKE(Bcast, in, 1, MPI_INT, MPI_PROC_NULL, comm);
  ALIKE(Bcast, in, -1, MPI_INT, 0, comm);
  ALIKE(Bcast, in, 1, MPI_DATATYPE_NULL, 0, comm);
  ALIKE(Bcast, in, 1, apart, 0, comm);  // a type that is not committed
  ALIKE(Allgather, in, 1, apart, out, 1, apart, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INT, MPI_OP_NULL, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INT, MPI_MINLOC, comm);
  ALIKE(Allreduce, in, out, 1, MPI_DOUBLE, MPI_BAND, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INTEGER, MPI_LAND, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INT, MPI_LAND, comm);
  ALIKE(Reduce, in, out, 1, MPI_INT, MPI_SUM, size, comm);
  MPI_Datatype nulls[most_ranks], aparts[most_ranks];
  for (int r = 0; r < size; ++r) nulls[r] = MPI_DATATYPE_NULL, aparts[r] = apart;
  ALIKE(Alltoallw, in, counts, bytes, nulls, out, counts, bytes, ints, comm);
  ALIKE(Alltoallw, in, counts, bytes, ints, out, counts, bytes, aparts, comm);
  // MPICH does not look at types of blocks of nothing.
  ALIKE(Alltoallw, in, none, bytes, nulls, out, none, bytes, nulls, comm);
  ALIKE(Alltoallw, in, none, bytes, aparts, out, none, bytes, aparts, comm);
  ALIKE(Sendrecv_replace, in, -1, MPI_INT, rank, 0, rank, 0, comm, MPI_STATUS_IGNORE);
  ALIKE(Sendrecv_replace, in, 1, MPI_DATATYPE_NULL, rank, 0, rank, 0, comm, MPI_STATUS_IGNORE);
  expect_sum(comm);
  MPI_Type_free(&apart);
}

// A program that is checked hears of buffers that may not be in another way.
static void refused_buffers(void) {
  MPI_Datatype spaced;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
  MPI_Type_commit(&spaced);
  ALIKE(Allreduce, in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm);
  ALIKE(Scan, in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm);
#ifdef OPEN_MPI  // MPICH looks for none of these
  ALIKE(Bcast, MPI_IN_PLACE, 1, MPI_INT, 0, comm);
  ALIKE(Allgather, in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm);
  ALIKE(Alltoall, in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm);
  ALIKE(Gather, rank == 0 ? in : MPI_IN_PLACE, 1, MPI_INT, out, rank == 0 ? -1 : 1, MPI_INT, 0, comm);
  // Even for nothing.
  ALIKE(Alltoall, in, 0, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, comm);
  ALIKE(Reduce_scatter_block, in, MPI_IN_PLACE, 0, MPI_INT, MPI_SUM, comm);
#else
  // No address of a null buffer's elements, unless their type has it.
  ALIKE(Bcast, NULL, 1, spaced, 0, comm);
  ALIKE(Allgather, in, 1, spaced, NULL, 1, spaced, comm);
#endif
  expect_sum(comm);
  MPI_Type_free(&spaced);
}

// Handles of what is not, or not any more: of that a handler hears once, as it would from MPI. MPICH's are numbers;
// Open MPI looks into what they point to.
#ifdef MPICH_VERSION
static void use_no_handles(int calls_before) {
  MPI_Comm copy, old_copy;
  MPI_Comm_dup(comm, &copy);
  expect_sums(copy, calls_before);
  old_copy = copy;
  MPI_Comm_free(&copy);
  ALIKE(Bcast, in, 1, MPI_INT, 0, old_copy);
  ALIKE(Allreduce, in, out, 1, MPI_INT, MPI_SUM, old_copy);
  const MPI_Op no_op = 0x12345;
  ALIKE(Allreduce, in, out, 1, MPI_INT, no_op, comm);
  ALIKE(Reduce, in, out, 1, MPI_INT, no_op, 0, comm);
  const MPI_Datatype no_type = 0x12345;
  ALIKE(Bcast, in, 1, no_type, 0, comm);
  ALIKE(Allreduce, in, out, 1, no_type, MPI_SUM, comm);
  ALIKE(Scatter, in, 1, no_type, out, 2, MPI_INT, rank, comm);
  ALIKE(Alltoallv, in, counts, places, MPI_INT, out, counts, places, no_type, comm);
}
#else
static void use_no_handles(int calls_before) { (void)calls_before; }
#endif

static void gone(void) {
  for (int k = 0; k < 3; ++k) {
    ALIKE(Bcast, in, 1, MPI_INT, 0, MPI_COMM_NULL);
    ALIKE(Barrier, MPI_COMM_NULL);
    use_no_handles(3 * k);
    expect_sum(comm);
  }
}

// One buffer for what is sent and what is received, without MPI_IN_PLACE. Open MPI lets it pass where the program is
// not checked.
static void twice(void) {
  for (int root = 0; root < size; ++root) {
    ALIKE(Allreduce, in, in, block, MPI_INT, MPI_SUM, comm);
    ALIKE(Scan, in, in, block, MPI_INT, MPI_SUM, comm);
    ALIKE(Allgather, in + rank * block, block, MPI_INT, in, block, MPI_INT, comm);
    ALIKE(Allgatherv, in + rank * block, block, MPI_INT, in, counts, places, MPI_INT, comm);
    ALIKE(Reduce_scatter_block, in, in, block, MPI_INT, MPI_SUM, comm);
    // Refused at the root alone, which then does what the others have done.
    fill();
    int code = MPI_Reduce(in, rank == root ? in : NULL, block, MPI_INT, MPI_SUM, root, comm);
    if (code != MPI_SUCCESS) code = MPI_Reduce(in, out, block, MPI_INT, MPI_SUM, root, comm);
    expect(code == MPI_SUCCESS, "a reduction that is made up for");
    fill();
    code = MPI_Gather(in + root * block, block, MPI_INT, in, block, MPI_INT, root, comm);
    if (code != MPI_SUCCESS) code = MPI_Gather(in, block, MPI_INT, out, block, MPI_INT, root, comm);
    expect(code == MPI_SUCCESS, "a gather that is made up for");
    expect_sum(comm);
  }
}

// Elements that are sent lie in the gaps between those that are received, which MPI allows.
static void gaps(void) {
  for (int root = 0; root < size; ++root) {
    static int by_mpi[room];
#define SAME(CALL, ...)                                                     \
  fill(), PMPI_##CALL(__VA_ARGS__), memcpy(by_mpi, in, sizeof(in)), fill(); \
  expect(MPI_##CALL(__VA_ARGS__) == MPI_SUCCESS && memcmp(by_mpi, in, sizeof(in)) == 0, #CALL)
    SAME(Allgatherv, in + block, block, MPI_INT, in, counts, spread, MPI_INT, comm);
    SAME(Gatherv, in + block, block, MPI_INT, in, counts, spread, MPI_INT, root, comm);
    SAME(Scatterv, in, counts, spread, MPI_INT, in + block, block, MPI_INT, root, comm);
    SAME(Alltoallv, in, counts, spread, MPI_INT, in + block, counts, spread, MPI_INT, comm);
    SAME(Alltoallw, in, counts, bytes_spread, ints, in + block, counts, bytes_spread, ints, comm);
    // A rank that receives nothing needs no memory for it.
    for (int r = 0; r < size; ++r) counts[r] = r == root ? block : 0;
    expect(MPI_Reduce_scatter(in, rank == root ? out : NULL, counts, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS,
           "a result for one rank");
    expect(MPI_Exscan(in, rank == 0 ? NULL : out, block, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS || rank == 0,
           "results for all ranks but the first");
    expect(MPI_Exscan(in, rank == 0 ? MPI_IN_PLACE : out, block, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS || rank == 0,
           "no place for no result");
    SAME(Alltoallv, in, counts, places, MPI_INT, in + size * block, counts, places, MPI_INT, comm);
  }
}

// Blocks that are written overlap, which MPI forbids and MPIs let pass. All ranks send the same, so that it does not
// matter whose block is the last.
static void overlaps(void) {
  static int by_mpi[room];
#define SAME_OVER(CALL, ...)                                                                        \
  do {                                                                                              \
    for (int k = 0; k < room; ++k) in[k] = 5, out[k] = -1;                                          \
    PMPI_##CALL(__VA_ARGS__), memcpy(by_mpi, out, sizeof(out));                                     \
    for (int k = 0; k < room; ++k) out[k] = -1;                                                     \
    expect(MPI_##CALL(__VA_ARGS__) == MPI_SUCCESS && memcmp(by_mpi, out, sizeof(out)) == 0, #CALL); \
  } while (0)
  for (int uneven = 0; uneven < 2; ++uneven) {
    // A pair of ranks exchanges as much on both sides.
    static int exchanged[most_ranks];
    for (int r = 0; r < size; ++r) {
      counts[r] = block + uneven * (r % 2), exchanged[r] = block + uneven * ((r + rank) % 2);
      places[r] = (size - 1 - r) * (block - 1);
    }
    SAME_OVER(Allgatherv, in, counts[rank], MPI_INT, out, counts, places, MPI_INT, comm);
    SAME_OVER(Alltoallv, in, exchanged, places, MPI_INT, out, exchanged, places, MPI_INT, comm);
    for (int r = 0; r < size; ++r) bytes[r] = places[r] * (int)sizeof(int), ints[r] = MPI_INT;
    SAME_OVER(Alltoallw, in, exchanged, bytes, ints, out, exchanged, bytes, ints, comm);
    for (int root = 0; root < size; ++root)
      SAME_OVER(Gatherv, in, counts[rank], MPI_INT, out, counts, places, MPI_INT, root, comm);
    expect_sum(comm);
  }
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  expect(size <= most_ranks, "no more ranks than there is room for");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(hear, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);  // to which MPIs bring some of them
  expect_sums(comm, 5);
  static const struct Way ways[] = {{"refused", refused}, {"refused_buffers", refused_buffers},
                                    {"gone", gone},       {"twice", twice},
                                    {"gaps", gaps},       {"overlaps", overlaps},
                                    {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Comm_free(&comm);
  MPI_Finalize();
  say_as_expected();
  return 0;
}
