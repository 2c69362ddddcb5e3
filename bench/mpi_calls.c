// An MPI program that knows nothing of tutti: how long each collective takes, in plain memory. A line a cell:
//
//     CALL BYTES MICROSECONDS
//
// the median over blocks of calls of the slowest rank's time for a call. Bytes are those of one rank's block, or of the
// whole message.
//
//     mpi_calls [SECONDS A CELL] [CALL ...]

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_bytes = 16 << 20, most_blocks = 41 };

static int rank, size;
static char *in, *out;
static int *counts, *places, *one;
static MPI_Datatype *types;

static void call(int which, int n) {
  const int k = n / 8;
  switch (which) {
    case 0: MPI_Barrier(MPI_COMM_WORLD); break;
    case 1: MPI_Bcast(out, n, MPI_BYTE, 0, MPI_COMM_WORLD); break;
    case 2: MPI_Reduce(in, out, k, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); break;
    case 3: MPI_Allreduce(in, out, k, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 4: MPI_Scan(in, out, k, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 5: MPI_Exscan(in, out, k, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 6: MPI_Gather(in, n, MPI_BYTE, out, n, MPI_BYTE, 0, MPI_COMM_WORLD); break;
    case 7: MPI_Gatherv(in, n, MPI_BYTE, out, counts, places, MPI_BYTE, 0, MPI_COMM_WORLD); break;
    case 8: MPI_Scatter(in, n, MPI_BYTE, out, n, MPI_BYTE, 0, MPI_COMM_WORLD); break;
    case 9: MPI_Scatterv(in, counts, places, MPI_BYTE, out, n, MPI_BYTE, 0, MPI_COMM_WORLD); break;
    case 10: MPI_Allgather(in, n, MPI_BYTE, out, n, MPI_BYTE, MPI_COMM_WORLD); break;
    case 11: MPI_Allgatherv(in, n, MPI_BYTE, out, counts, places, MPI_BYTE, MPI_COMM_WORLD); break;
    case 12: MPI_Alltoall(in, n, MPI_BYTE, out, n, MPI_BYTE, MPI_COMM_WORLD); break;
    case 13: MPI_Alltoallv(in, counts, places, MPI_BYTE, out, counts, places, MPI_BYTE, MPI_COMM_WORLD); break;
    case 14: MPI_Reduce_scatter(in, out, one, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 15: MPI_Reduce_scatter_block(in, out, k, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 16: MPI_Alltoallw(in, counts, places, types, out, counts, places, types, MPI_COMM_WORLD); break;
  }
}

static const char *const names[] = {"Barrier",    "Bcast",          "Reduce",              "Allreduce",
                                    "Scan",       "Exscan",         "Gather",              "Gatherv",
                                    "Scatter",    "Scatterv",       "Allgather",           "Allgatherv",
                                    "Alltoall",   "Alltoallv",      "Reduce_scatter",      "Reduce_scatter_block",
                                    "Alltoallw"};

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double block(int which, int n, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int k = 0; k < calls; ++k) call(which, n);
  const double mine = (MPI_Wtime() - begin) / calls;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void measure(int which, int n, double seconds) {
  for (int r = 0; r < size; ++r) counts[r] = n, places[r] = r * n, one[r] = n / 8;
  block(which, n, 4);
  const double once = block(which, n, 4);
  int calls = (int)(seconds / most_blocks / (once > 1e-8 ? once : 1e-8));
  calls = calls < 1 ? 1 : calls > 10000 ? 10000 : calls;
  int blocks = (int)(seconds / (once * calls));
  blocks = blocks < 5 ? 5 : blocks > most_blocks ? most_blocks : blocks;
  MPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&blocks, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double times[most_blocks];
  for (int k = 0; k < blocks; ++k) times[k] = block(which, n, calls);
  qsort(times, (size_t)blocks, sizeof(double), by_value);
  if (rank == 0) printf("%s %d %.3f\n", names[which], n, times[blocks / 2] * 1e6), fflush(stdout);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double seconds = argc > 1 ? atof(argv[1]) : 0.1;
  in = calloc((size_t)size, most_bytes);
  out = calloc((size_t)size, most_bytes);
  memset(in, 1, (size_t)size * most_bytes);
  memset(out, 2, (size_t)size * most_bytes);
  counts = malloc(3 * (size_t)size * sizeof(int));
  places = counts + size;
  one = places + size;
  types = malloc((size_t)size * sizeof(MPI_Datatype));
  for (int r = 0; r < size; ++r) types[r] = MPI_BYTE;
  for (int which = 0; which < 17; ++which) {
    int is_asked = argc < 3;
    for (int k = 2; k < argc; ++k) is_asked = is_asked || strcmp(argv[k], names[which]) == 0;
    if (!is_asked) continue;
    if (which == 0) {
      measure(which, 0, seconds);
      continue;
    }
    static const int lengths[] = {8, 256, 4096, 65536, 1 << 20, most_bytes};
    for (int at = 0; at < 6; ++at) measure(which, lengths[at], seconds);
  }
  MPI_Finalize();
  return 0;
}
