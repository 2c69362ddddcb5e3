// An MPI program that knows nothing of tutti, and of whose ranks some may be strangers to the others: without a library
// that those have, or with another one. Prints "as expected" on rank 0, or what was not.
//
//     strangers ROUNDS mixed KIND [LIBRARY]    ranks are of kinds; LIBRARY is loaded once collectives have been called
//     strangers ROUNDS spawn [PROGRAM [WORD ...]]    starts that command, or itself, as two more ranks
//
// MPI_Scan is called on communicators of one kind, which is not alone, and MPI_Exscan on those of several kinds.

#include <dlfcn.h>

#include "unchanged.h"

enum { calls_each = 3 };

static void use(MPI_Comm comm) {
  int mine, n;
  MPI_Comm_rank(comm, &mine);
  MPI_Comm_size(comm, &n);
  for (int k = 0; k < calls_each; ++k) {
    expect_sum(comm);
    int number = mine == k % n ? k : -1, all[64];
    MPI_Bcast(&number, 1, MPI_INT, k % n, comm);
    expect(number == k, "the number of a root");
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int r = 0; r < n; ++r) expect(all[r] == r, "the number of a rank");
    MPI_Barrier(comm);
  }
}

static void use_alike(MPI_Comm comm) {
  use(comm);
  int mine, sum = -1;
  MPI_Comm_rank(comm, &mine);
  MPI_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect(sum == mine * (mine + 1) / 2, "the sum of ranks up to here");
}

static void use_mixed(MPI_Comm comm) {
  use(comm);
  int mine, sum = 0;
  MPI_Comm_rank(comm, &mine);
  MPI_Exscan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect(sum == mine * (mine - 1) / 2, "the sum of ranks before here");
}

static void mixed(int kind, const char *library) {
  expect(library == NULL || dlopen(library, RTLD_NOW) != NULL, "a library that can be loaded");
  for (int k = 0; k < rounds; ++k) {
    MPI_Comm copy, turned, alike;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + k) % size, &turned);
    MPI_Comm_split(MPI_COMM_WORLD, kind, -rank, &alike);
    use_mixed(copy);
    use_alike(alike);
    use_mixed(turned);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&alike);
  }
}

static void spawn(int argc, char **argv) {
  MPI_Comm others, all, copy;
  MPI_Comm_get_parent(&others);
  const int is_parent = others == MPI_COMM_NULL;
  use_alike(MPI_COMM_WORLD);
  if (is_parent) {
    char *itself[] = {argv[1], "spawn", NULL};
    char *const program = argc > 3 ? argv[3] : argv[0];
    MPI_Comm_spawn(program, argc > 3 ? argv + 4 : itself, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                   MPI_ERRCODES_IGNORE);
  }
  MPI_Barrier(others);
  MPI_Intercomm_merge(others, !is_parent, &all);
  for (int k = 0; k < rounds; ++k) {
    MPI_Comm_split(all, 0, (rank * 3 + k) % 7, &copy);
    use_mixed(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_split(all, is_parent, rank, &copy);
    use_alike(copy);
    MPI_Comm_free(&copy);
  }
  MPI_Comm_free(&all);
  use_alike(MPI_COMM_WORLD);
  MPI_Comm_disconnect(&others);
}

int main(int argc, char **argv) {
  begin(MPI_THREAD_SINGLE);
  use(MPI_COMM_WORLD);
  rounds = argc > 1 ? atoi(argv[1]) : 0;
  const char *const way = argc > 2 ? argv[2] : "";
  if (strcmp(way, "mixed") == 0 && argc > 3) mixed(atoi(argv[3]), argv[4]);
  else if (strcmp(way, "spawn") == 0) spawn(argc, argv);
  else expect(0, "a way");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
