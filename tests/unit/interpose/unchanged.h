// Common parts of the MPI programs of this folder, which know nothing of tutti.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static int rounds __attribute__((unused));

// One line, and the end of the job.
static inline void expect(int is_so, const char* what) {
  if (is_so) return;
  printf("rank %d of %d: not so: %s\n", rank, size, what);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static inline int sum_of_ranks(MPI_Comm comm) {
  int mine, sum = -1;
  MPI_Comm_rank(comm, &mine);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}

static inline void expect_sum(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  expect(sum_of_ranks(comm) == n * (n - 1) / 2, "the sum of ranks");
}

static inline void expect_sums(MPI_Comm comm, int calls) {
  for (int k = 0; k < calls; ++k) expect_sum(comm);
}

// The error is told in these words.
static inline void expect_words(int code, const char* words) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text, &length);
  expect(code != MPI_SUCCESS && strstr(text, words) != NULL, words);
}

// Returns a copy of the communicator of all ranks on which errors are returned.
static inline MPI_Comm copy_that_returns(const char* name) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  if (name != NULL) MPI_Comm_set_name(copy, name);
  return copy;
}

// Begins MPI. A rank that hangs ends its job by a signal, long after any test has ended.
static inline void begin(int level) {
  enum { most_seconds = 200 };
  alarm(most_seconds);
  if (level == MPI_THREAD_SINGLE)
    MPI_Init(NULL, NULL);
  else
    MPI_Init_thread(NULL, NULL, level, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

struct Way {
  const char* name;
  void (*run)(void);
};

// Ends with a way that has no name.
static inline void run_way(const struct Way* ways, const char* name) {
  while (ways->name != NULL && strcmp(ways->name, name) != 0) ++ways;
  expect(ways->name != NULL, name);
  ways->run();
}

static inline void say_as_expected(void) {
  if (rank == 0) printf("as expected\n");
}
