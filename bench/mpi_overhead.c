// An MPI program that knows nothing of tutti: what a library that takes collectives over may add to calls that it does
// not serve, and to the first ones on a communicator. A line a figure:
//
//     CALL@MPI_COMM_SELF    ns    a call that is forwarded, least over blocks of calls
//     call-K                us    the K-th Allreduce on a new communicator, least and median over communicators of the
//                                 slowest rank's time; the library founds it with one of them
//
//     mpi_overhead [COMMUNICATORS]

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { blocks = 200, calls = 1000, first_calls = 5, most_communicators = 1000 };

static int rank;

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void call(int which) {
  double in = 1, out = 0;
  switch (which) {
    case 0: MPI_Barrier(MPI_COMM_SELF); break;
    case 1: MPI_Bcast(&out, 1, MPI_DOUBLE, 0, MPI_COMM_SELF); break;
    default: MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF); break;
  }
}

static void measure_forwarded(void) {
  static const char *const names[] = {"Barrier", "Bcast", "Allreduce"};
  for (int which = 0; which < 3; ++which) {
    double least = 1;
    for (int block = 0; block < blocks; ++block) {
      const double begin = MPI_Wtime();
      for (int k = 0; k < calls; ++k) call(which);
      const double time = (MPI_Wtime() - begin) / calls;
      if (time < least) least = time;
    }
    if (rank == 0) printf("%s@MPI_COMM_SELF %.1f\n", names[which], least * 1e9);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void measure_first(int communicators) {
  static double times[first_calls][most_communicators];
  for (int k = 0; k < communicators; ++k) {
    MPI_Comm fresh;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    double mine[first_calls], slowest[first_calls];
    for (int at = 0; at < first_calls; ++at) {
      MPI_Barrier(MPI_COMM_WORLD);
      double one = 1, sum = 0;
      const double begin = MPI_Wtime();
      MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, fresh);
      mine[at] = MPI_Wtime() - begin;
    }
    MPI_Allreduce(mine, slowest, first_calls, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int at = 0; at < first_calls; ++at) times[at][k] = slowest[at];
    MPI_Comm_free(&fresh);
  }
  for (int at = 0; at < first_calls; ++at) {
    qsort(times[at], (size_t)communicators, sizeof(double), by_value);
    if (rank == 0) printf("call-%d %.1f %.1f\n", at + 1, times[at][0] * 1e6, times[at][communicators / 2] * 1e6);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int asked = argc > 1 ? atoi(argv[1]) : 50;
  measure_forwarded();
  measure_first(asked < 1 ? 1 : asked > most_communicators ? most_communicators : asked);
  MPI_Finalize();
  return 0;
}
