// An MPI program that knows nothing of tutti, and calls collectives with arguments that MPI refuses, or that others
// would refuse: each gets from MPI_X what it gets from PMPI_X, which nobody takes over. Prints "as expected" on rank 0,
// or what was not.
//
//     arguments WAY

#include "unchanged.h"

enum { most_ranks = 64, block = 3, room = 2 * block * most_ranks };
static int in[room], out[room], counts[most_ranks], places[most_ranks], spread[most_ranks];
static MPI_Comm comm;

static void fill(void) {
  for (int k = 0; k < room; ++k) in[k] = rank * room + k, out[k] = -1;
  for (int r = 0; r < size; ++r) counts[r] = block, places[r] = r * block, spread[r] = 2 * r * block;
}

static int class_of(int code) {
  int class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  return class;
}

static void expect_alike(const char* what, int by_us, int by_mpi) {
  if (class_of(by_us) != class_of(by_mpi)) printf("class %d instead of %d: ", class_of(by_us), class_of(by_mpi));
  expect(class_of(by_us) == class_of(by_mpi), what);
}

// What both get is an error, or neither does.
#define ALIKE(CALL, ...) \
  fill(), expect_alike("MPI_" #CALL "(" #__VA_ARGS__ ")", MPI_##CALL(__VA_ARGS__), (fill(), PMPI_##CALL(__VA_ARGS__)))

static void refused(void) {
  MPI_Datatype apart;
  MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
  ALIKE(Bcast, in, 1, MPI_INT, MPI_ROOT, comm);
  ALIKE(Bcast, in, 1, MPI_INT, MPI_PROC_NULL, comm);
  ALIKE(Bcast, in, -1, MPI_INT, 0, comm);
  ALIKE(Bcast, in, 1, MPI_DATATYPE_NULL, 0, comm);
  ALIKE(Bcast, in, 1, apart, 0, comm);  // which is not committed
  ALIKE(Allgather, in, 1, apart, out, 1, apart, comm);
  ALIKE(Allreduce, in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INT, MPI_OP_NULL, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INT, MPI_MINLOC, comm);
  ALIKE(Allreduce, in, out, 1, MPI_DOUBLE, MPI_BAND, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INTEGER, MPI_LAND, comm);
  ALIKE(Allreduce, in, out, 1, MPI_INT, MPI_LAND, comm);
  ALIKE(Reduce, in, out, 1, MPI_INT, MPI_SUM, size, comm);
  ALIKE(Scan, in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm);
#ifdef OPEN_MPI  // MPICH looks for none of these
  ALIKE(Bcast, MPI_IN_PLACE, 1, MPI_INT, 0, comm);
  ALIKE(Allgather, in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm);
  ALIKE(Alltoall, in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm);
  ALIKE(Gather, rank == 0 ? in : MPI_IN_PLACE, 1, MPI_INT, out, rank == 0 ? -1 : 1, MPI_INT, 0, comm);
#endif
  expect_sum(comm);
  MPI_Type_free(&apart);
}

// One buffer for what is sent and what is received, without MPI_IN_PLACE. Open MPI lets it pass.
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

// What is sent lies in the gaps between what is received, which MPI allows.
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
    // Who receives nothing needs no memory for it.
    for (int r = 0; r < size; ++r) counts[r] = r == root ? block : 0;
    expect(MPI_Reduce_scatter(in, rank == root ? out : NULL, counts, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS,
           "a result for one rank");
    expect(MPI_Exscan(in, rank == 0 ? NULL : out, block, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS || rank == 0,
           "results for all ranks but the first");
    SAME(Alltoallv, in, counts, places, MPI_INT, in + size * block, counts, places, MPI_INT, comm);
  }
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  expect(size <= most_ranks, "no more ranks than there is room for");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // to which Open MPI brings some of them
  expect_sums(comm, 5);
  static const struct Way ways[] = {{"refused", refused}, {"twice", twice}, {"gaps", gaps}, {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Comm_free(&comm);
  MPI_Finalize();
  say_as_expected();
  return 0;
}
