// An MPI program that knows nothing of tutti, and has other work done by MPI beside its collectives, or keeps its data
// where collectives seldom find it. Prints "as expected" on rank 0, or what was not.
//
//     beside ROUNDS WAY...

#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "unchanged.h"

static void* memory_of(size_t bytes) {
  void* const place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  expect(place != MAP_FAILED, "memory");
  return place;
}

// Collectives of MPI's own that are under way while others are called.
static void pending(void) {
  enum { n = 50000 };
  static long mine[n], sum[n];
  for (int k = 0; k < rounds; ++k) {
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int number = rank == k % size ? k : -1;
    for (int at = 0; at < n; ++at) mine[at] = at + rank + k;
    MPI_Iallreduce(mine, sum, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    expect_sum(MPI_COMM_WORLD);
    MPI_Ibcast(&number, 1, MPI_INT, k % size, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    expect_sum(MPI_COMM_WORLD);
    MPI_Waitall(3, requests, statuses);
    MPI_Barrier(MPI_COMM_WORLD);
    expect(number == k, "the number of a broadcast that was pending");
    expect(sum[n - 1] == (long)size * (n - 1 + k) + size * (size - 1) / 2, "the sum of a reduction that was pending");
  }
}

// The ranks' files of MPI call collectives inside.
static void files(void) {
  char name[64] = "/tmp/tutti_beside_XXXXXX";
  if (rank == 0) close(mkstemp(name));
  MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_File file;
  expect(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                       &file) == MPI_SUCCESS,
         "a file");
  MPI_Datatype mine;
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)(size * sizeof(int)), &mine);
  MPI_Type_commit(&mine);
  MPI_File_set_view(file, (MPI_Offset)(rank * sizeof(int)), MPI_INT, mine, "native", MPI_INFO_NULL);
  enum { n = 1000 };
  int out[n], in[n];
  for (int k = 0; k < rounds; ++k) {
    for (int at = 0; at < n; ++at) out[at] = rank * 7 + at + k;
    MPI_File_write_at_all(file, 0, out, n, MPI_INT, MPI_STATUS_IGNORE);
    expect_sum(MPI_COMM_WORLD);
    memset(in, 0, sizeof(in));
    MPI_File_read_at_all(file, 0, in, n, MPI_INT, MPI_STATUS_IGNORE);
    expect(memcmp(in, out, sizeof(in)) == 0, "what was written to a file");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
  MPI_Type_free(&mine);
}

// Memory that ranks read from one another is gone when the call has returned.
static void unmapped(void) {
  for (int k = 0; k < rounds; ++k) {
    const int n = k % 3 == 0 ? 3 : k % 3 == 1 ? 5000 : 200000, root = k % size;
    const size_t bytes = (size_t)n * sizeof(int) * (size_t)size;
    int *const data = memory_of(bytes), *const more = memory_of(bytes);
    for (int at = 0; at < n; ++at) data[at] = rank == root ? at + k : -1;
    MPI_Bcast(data, n, MPI_INT, root, MPI_COMM_WORLD);
    for (int at = 0; at < n; ++at) expect(data[at] == at + k, "what was sent from memory that goes away");
    MPI_Allgather(data, n, MPI_INT, more, n, MPI_INT, MPI_COMM_WORLD);
    munmap(data, bytes);
    expect(more[(size - 1) * n + n - 1] == n - 1 + k, "the last block of all");
    int* const sum = rank == root ? memory_of(bytes) : NULL;
    MPI_Reduce(more, sum, n, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
    munmap(more, bytes);
    expect(rank != root || sum[n - 1] == n - 1 + k, "the largest");
    if (sum != NULL) munmap(sum, bytes);
  }
}

// Over 2 GiB: elements far from one another, so that little of it is used; a block of bytes too long for an int is
// another matter, see whole().
static void far(void) {
  const MPI_Aint extent = (MPI_Aint)3 << 30;
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_LONG, 0, extent, &type);
  MPI_Type_commit(&type);
  char* const data = memory_of((size_t)extent * (size_t)size + 4096);
  for (int k = 0; k < 5; ++k) {
    const int root = k % size;
    for (int at = 0; at < 2; ++at) *(long*)(data + at * extent) = rank == root ? 100 * k + at : -1;
    MPI_Bcast(data, 2, type, root, MPI_COMM_WORLD);
    for (int at = 0; at < 2; ++at) expect(*(long*)(data + at * extent) == 100 * k + at, "a number far away");
    const long mine = rank + k;
    MPI_Allgather(&mine, 1, MPI_LONG, data, 1, type, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) expect(*(long*)(data + r * extent) == r + k, "the number of a rank, far away");
    long back = -1;
    MPI_Scatter(data, 1, type, &back, 1, MPI_LONG, root, MPI_COMM_WORLD);
    expect(back == mine, "a number that has come back");
  }
  MPI_Type_free(&type);
}

// A message of over 2 GiB, of which a page in a hundred is written and looked at, told as numbers by one rank and as
// rows by the other.
static void whole(void) {
  const size_t n = ((size_t)9 << 28) / sizeof(long), step = 409600 / sizeof(long);
  long* const data = memory_of(n * sizeof(long));
  MPI_Datatype row;
  MPI_Type_contiguous((int)(n / 9), MPI_LONG, &row);
  MPI_Type_commit(&row);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (size_t at = 0; at < n; at += step) data[at] = (long)at + 1;
  MPI_Bcast(data, rank == 0 ? (int)n : 9, rank == 0 ? MPI_LONG : row, 0, MPI_COMM_WORLD);
  for (size_t at = 0; at < n; at += step) expect(data[at] == (long)at + 1, "a number in 2.25 GiB");
  MPI_Type_free(&row);
  munmap(data, n * sizeof(long));
}

// One element of over 2 GiB with holes in it, looked at in each of its parts.
static void torn(void) {
  enum { parts = 2304, part = 1 << 20, hole = 64 };
  MPI_Datatype type;
  MPI_Type_vector(parts, part, part + hole, MPI_CHAR, &type);
  MPI_Type_commit(&type);
  const size_t bytes = (size_t)parts * (part + hole);
  char* const data = memory_of(bytes);
  for (size_t k = 0; k < parts; ++k) {
    char* const at = data + k * (part + hole);
    at[0] = at[part - 1] = rank == 0 ? (char)(k % 100 + 1) : 0;
    if (k + 1 < parts) at[part] = (char)rank;
  }
  MPI_Bcast(data, 1, type, 0, MPI_COMM_WORLD);
  for (size_t k = 0; k < parts; ++k) {
    const char *const at = data + k * (part + hole), value = (char)(k % 100 + 1);
    expect(at[0] == value && at[part - 1] == value, "a part of 2.25 GiB");
    expect(k + 1 == parts || at[part] == rank, "a hole in 2.25 GiB");
  }
  MPI_Type_free(&type);
  munmap(data, bytes);
}

// The forms with large counts, which Open MPI 4.1 does not have.
static void counts(void) {
#ifdef MPICH_VERSION
  enum { n = 1000 };
  int mine[n], all[n];
  MPI_Datatype row, block;
  MPI_Type_contiguous_c(n, MPI_INT, &row);
  MPI_Type_contiguous(1, row, &block);
  MPI_Type_commit(&block);
  for (int at = 0; at < n; ++at) mine[at] = at + rank;
  for (int k = 0; k < 5; ++k) {
    memcpy(all, mine, sizeof(all));
    MPI_Bcast(all, 1, block, k % size, MPI_COMM_WORLD);
    expect(all[0] == k % size && all[n - 1] == n - 1 + k % size, "a row");
    MPI_Allreduce_c(mine, all, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(all[n - 1] == size * (n - 1) + size * (size - 1) / 2, "the sum");
    int number = rank == 1 ? k : -1;
    MPI_Bcast_c(&number, 1, MPI_INT, 1, MPI_COMM_WORLD);
    expect(number == k, "the number");
    MPI_Count lengths[64];
    MPI_Aint places[64];
    MPI_Count sum = 0;
    for (int r = 0; r < size; ++r) lengths[r] = r + 1, places[r] = sum, sum += r + 1;
    MPI_Allgatherv_c(mine, rank + 1, MPI_INT, all, lengths, places, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) expect(all[places[r] + r] == 2 * r, "the end of a block");
  }
  MPI_Type_free(&block);
  MPI_Type_free(&row);
#endif
}

static void packed(void) {
  for (int k = 0; k < rounds; ++k) {
    char buffer[200];
    int position = 0, number = k;
    double real = k / 3.0;
    if (rank == k % size) {
      MPI_Pack(&number, 1, MPI_INT, buffer, sizeof(buffer), &position, MPI_COMM_WORLD);
      MPI_Pack(&real, 1, MPI_DOUBLE, buffer, sizeof(buffer), &position, MPI_COMM_WORLD);
    }
    MPI_Bcast(buffer, sizeof(buffer), MPI_PACKED, k % size, MPI_COMM_WORLD);
    position = number = 0, real = 0;
    MPI_Unpack(buffer, sizeof(buffer), &position, &number, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(buffer, sizeof(buffer), &position, &real, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    expect(number == k && real == k / 3.0, "what was packed");
  }
}

#define TRY_PAIRS(VALUE, TYPE)                                                                                 \
  do {                                                                                                         \
    struct Pair {                                                                                              \
      VALUE value;                                                                                             \
      int place;                                                                                               \
    } mine[3], best[3];                                                                                        \
    memset(mine, 0, sizeof(mine));                                                                             \
    for (int at = 0; at < 3; ++at) mine[at].value = (VALUE)(at == 2 ? 5 : rank), mine[at].place = size - rank; \
    MPI_Allreduce(mine, best, 3, TYPE, MPI_MINLOC, MPI_COMM_WORLD);                                            \
    expect(best[0].value == 0 && best[0].place == size && best[2].place == 1, "least of " #TYPE);              \
    MPI_Allreduce(mine, best, 3, TYPE, MPI_MAXLOC, MPI_COMM_WORLD);                                            \
    expect(best[0].value == (VALUE)(size - 1) && best[0].place == 1 && best[2].place == 1, "most of " #TYPE);  \
  } while (0)

// All types of pairs; where values are alike, the lower place wins.
static void pairs(void) {
  for (int k = 0; k < 4; ++k) {
    TRY_PAIRS(float, MPI_FLOAT_INT);
    TRY_PAIRS(double, MPI_DOUBLE_INT);
    TRY_PAIRS(long, MPI_LONG_INT);
    TRY_PAIRS(short, MPI_SHORT_INT);
    TRY_PAIRS(int, MPI_2INT);
    TRY_PAIRS(long double, MPI_LONG_DOUBLE_INT);
  }
}

// A program whose handler returns gets a code for ranks that do not fit together.
static void returns(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  expect_sums(copy, 5);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  int numbers[64] = {0};
  const int code = MPI_Allreduce(numbers, numbers + 32, rank + 1, MPI_INT, MPI_SUM, copy);
  expect(code != MPI_SUCCESS, "an error code for different counts");
  expect(MPI_Bcast(numbers, 1, MPI_INT, size, copy) != MPI_SUCCESS, "a code for a root that is none");
  expect_sums(MPI_COMM_WORLD, 5);
}

// Communicators of many shapes, used in turn, with handles that are used again for others.
static void groups(void) {
  for (int k = 0; k < rounds; ++k) {
    MPI_Comm part, turned, some, copy = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank == k % size ? MPI_UNDEFINED : rank % 2, -rank, &part);
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + k) % size, &turned);
    MPI_Group all, few;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    const int least = k % size;
    MPI_Group_excl(all, 1, &least, &few);
    MPI_Comm_create(MPI_COMM_WORLD, few, &some);
    for (int calls = 0; calls < 6; ++calls) {
      if (part != MPI_COMM_NULL) expect_sum(part);
      expect_sum(turned);
      if (some != MPI_COMM_NULL) expect_sum(some);
      expect_sum(MPI_COMM_SELF);
    }
    MPI_Comm_dup(turned, &copy);
    MPI_Comm_free(&turned);
    expect_sums(copy, 4);
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
    if (some != MPI_COMM_NULL) MPI_Comm_disconnect(&some);
    MPI_Comm_free(&copy);
    MPI_Group_free(&all);
    MPI_Group_free(&few);
  }
}

// A child that is forked, and ends by exit(), takes nothing with it.
static void forks(void) {
  for (int k = 0; k < 10; ++k) {
    expect_sum(MPI_COMM_WORLD);
    const pid_t child = fork();
    if (child == 0) _exit(0);
    int status = 0;
    waitpid(child, &status, 0);
    expect_sum(MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void at_exit(void) {
  expect_sum(MPI_COMM_WORLD);
  MPI_Finalize();
  say_as_expected();
}

static void plain(void) { expect_sums(MPI_COMM_WORLD, rounds); }

static void ignore(int signal) { (void)signal; }

// Signals as a profiler has them, but more of them.
static void have_signals(void) {
  signal(SIGUSR2, ignore);
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  const struct itimerspec often = {{0, 300000}, {0, 300000}};
  expect(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &often, NULL) == 0, "a timer");
}

int main(int argc, char** argv) {
  for (int at = 2; at < argc; ++at)
    if (strcmp(argv[at], "signals") == 0) have_signals();
  rounds = argc > 1 ? atoi(argv[1]) : 100;
  int is_there = 1;
  MPI_Initialized(&is_there);
  begin(MPI_THREAD_SINGLE);
  expect(!is_there, "MPI before it began");
  static const struct Way ways[] = {
      {"pending", pending}, {"files", files},   {"unmapped", unmapped}, {"far", far},
      {"whole", whole},     {"torn", torn},
      {"counts", counts},   {"packed", packed}, {"pairs", pairs},       {"returns", returns}, {"groups", groups},
      {"forks", forks},     {"plain", plain},   {"at_exit", plain},     {"signals", plain},   {NULL, NULL}};
  int ends_at_exit = 0;
  for (int at = 2; at < argc; ++at) {
    run_way(ways, argv[at]);
    if (strcmp(argv[at], "at_exit") == 0) ends_at_exit = 1;
  }
  if (ends_at_exit) {
    atexit(at_exit);
    exit(0);
  }
  MPI_Finalize();
  say_as_expected();
  return 0;
}
