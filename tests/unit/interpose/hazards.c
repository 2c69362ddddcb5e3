// An MPI program that knows nothing of tutti, and does what has brought down others that take collectives over. Prints
// "as expected" on rank 0, or what was not.
//
//     hazards WAY [ROUNDS]

#include <pthread.h>
#include <signal.h>
#include <stdint.h>

#include "unchanged.h"

static int called_at_the_end;
static int at_the_end(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  expect_sum(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  called_at_the_end = 1;
  return MPI_SUCCESS;
}

static void finalize(void) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  expect_sums(MPI_COMM_WORLD, 10);
}

static void between(void) {
  MPI_Comm half, other, merged;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &other);
  for (int k = 0; k < 10; ++k) {
    int sum = -1, number = rank;
    MPI_Barrier(other);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, other);
    int expected = 0;
    for (int r = 1 - rank % 2; r < size; r += 2) expected += r;
    expect(sum == expected, "the sum of the other group");
    MPI_Bcast(&number, 1, MPI_INT, rank == 0 ? MPI_ROOT : rank % 2 == 0 ? MPI_PROC_NULL : 0, other);
    expect(rank % 2 == 0 || number == 0, "the number of the other group");
  }
  MPI_Intercomm_merge(other, rank % 2, &merged);
  expect_sums(merged, 10);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&other);
  MPI_Comm_free(&half);
}

static void communicators(void) {
  for (int k = 0; k < 10 * rounds; ++k) {
    MPI_Comm fresh;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    expect_sums(fresh, k % 10 == 0 ? 5 : 1);
    MPI_Comm_free(&fresh);
  }
  enum { most = 1500 };
  static MPI_Comm held[most];
  const int n = rounds < most ? rounds : most;
  for (int k = 0; k < n; ++k) MPI_Comm_dup(MPI_COMM_WORLD, &held[k]);
  for (int calls = 0; calls < 5; ++calls)
    for (int k = 0; k < n; ++k) expect_sum(held[k]);
  for (int k = 0; k < n; ++k) MPI_Comm_free(&held[k]);
}

// Collectives that a communicator's callback makes while it is freed, and another one that may get its handle: on some
// ranks alone, because the others have got its memory otherwise.
static int at_its_end(MPI_Comm comm, int key, void* value, void* extra) {
  (void)key, (void)value, (void)extra;
  expect_sums(comm, 5);
  return MPI_SUCCESS;
}

static void callbacks(void) {
  enum { most = 200 };
  static void* others[most];
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_its_end, &key, NULL);
  for (int k = 0; k < rounds; ++k) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_attr(copy, key, NULL);
    expect_sums(copy, 5);
    MPI_Comm_free(&copy);
    for (size_t at = 0; at < most && rank == k % size; ++at) others[at] = malloc(8 * at + 8);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    expect_sums(copy, 1);
    MPI_Comm_free(&copy);
    for (size_t at = 0; at < most && rank == k % size; ++at) free(others[at]);
  }
  MPI_Comm_free_keyval(&key);
}

// A copy that a callback of the program refuses is refused, on a communicator that is served as on another one.
static int refuse(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)extra;
  return *(int*)value ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void refusals(void) {
  int key, codes[2], refuses = 1;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int k = 0; k < 2; ++k) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    expect_sums(copy, 5 * k);
    MPI_Comm_set_attr(copy, key, &refuses);
    refuses = 1;
    const int code = MPI_Comm_free(&copy);
    MPI_Error_class(code, &codes[k]);
    refuses = 0;
  }
  expect(codes[0] != MPI_SUCCESS && codes[0] == codes[1], "what a callback refuses");
  expect_sums(MPI_COMM_WORLD, 5);
}

static void* in_thread(void* comm) {
  for (int k = 0; k < rounds; ++k) {
    expect_sum(*(MPI_Comm*)comm);
    int number = k;
    MPI_Bcast(&number, 1, MPI_INT, k % size, *(MPI_Comm*)comm);
    expect(number == k, "the number of another thread");
  }
  return NULL;
}

static void threads(void) {
  enum { most = 3 };
  MPI_Comm comms[most];
  pthread_t all[most];
  for (int k = 0; k < most; ++k) MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
  for (int k = 0; k < most; ++k) pthread_create(&all[k], NULL, in_thread, &comms[k]);
  for (int k = 0; k < most; ++k) pthread_join(all[k], NULL);
  for (int k = 0; k < most; ++k) MPI_Comm_free(&comms[k]);
}

// Ranks that call different things are told so, by the communicator's own handler.
static int handled;
static void handle(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  handled = 1;
}

static void mismatch(void) {
  MPI_Errhandler own;
  MPI_Comm_create_errhandler(handle, &own);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  expect_sums(copy, 5);
  MPI_Comm_set_errhandler(copy, own);
  int numbers[64] = {0};
  const int code = MPI_Allgather(numbers, rank + 1, MPI_INT, numbers + 32, rank + 1, MPI_INT, copy);
  expect(code != MPI_SUCCESS && handled, "an error");
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text, &length);
  expect(strstr(text, "called all_gather with 12 bytes; ") != NULL, text);
  expect_sums(MPI_COMM_WORLD, 5);
}

static void bottom(void) {
  int one = rank, two = 2 * rank;
  MPI_Aint places[2];
  MPI_Get_address(&one, &places[0]);
  MPI_Get_address(&two, &places[1]);
  const int lengths[2] = {1, 1};
  MPI_Datatype both;
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &both);
  MPI_Type_commit(&both);
  for (int k = 0; k < 5; ++k) {
    one = rank + k, two = 2 * rank;
    MPI_Bcast(MPI_BOTTOM, 1, both, size - 1, MPI_COMM_WORLD);
    expect(one == size - 1 + k && two == 2 * (size - 1), "what lies at absolute addresses");
    int none = 7;
    MPI_Allreduce(NULL, &none, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    expect(none == 7, "nothing was reduced");
  }
  MPI_Type_free(&both);
}

// Sums have the same bits on all ranks, and are printed, so that two runs can be compared.
static void bits(void) {
  enum { n = 20000 };
  static double mine[n], sum[n];
  static const int lengths[] = {1, 3, 100, 4097, n};
  uint64_t all = 0;
  for (int at = 0; at < 5; ++at) {
    for (int k = 0; k < n; ++k) mine[k] = 1.0 / (1 + k * 7 + rank * 13) - 1e-3 * rank;
    MPI_Allreduce(mine, sum, lengths[at], MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    uint64_t own = 1469598103934665603ULL;
    for (size_t k = 0; k < (size_t)lengths[at] * sizeof(double); ++k)
      own = (own ^ ((unsigned char*)sum)[k]) * 1099511628211ULL;
    uint64_t first = own;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    expect(first == own, "the same bits on all ranks");
    all = all * 31 + own;
  }
  if (rank == 0) printf("bits %016llx\n", (unsigned long long)all);
}

// Calls in which MPICH 4.0.2 by itself crashes.
static void reduce_in_place(int root, MPI_Comm comm) {
  enum { n = 5000 };
  static long long all[n];
  for (int k = 0; k < n; ++k) all[k] = rank + k;
  MPI_Reduce(rank == root ? MPI_IN_PLACE : all, rank == root ? all : NULL, n, MPI_LONG_LONG, MPI_SUM, root, comm);
  for (int k = 0; k < n && rank == root; ++k)
    expect(all[k] == (long long)size * k + size * (size - 1) / 2, "the sum in place");
}

static void reduce_scatter_in_place(MPI_Comm comm) {
  enum { n = 90000 };
  static long long all[8 * n];
  int counts[8], first = 0;
  for (int r = 0; r < size; ++r) counts[r] = r % 2 * n;
  for (int r = 0; r < rank; ++r) first += counts[r];
  for (int k = 0; k < size / 2 * n; ++k) all[k] = rank + k;
  MPI_Reduce_scatter(MPI_IN_PLACE, all, counts, MPI_LONG_LONG, MPI_SUM, comm);
  for (int k = 0; k < counts[rank]; ++k)
    expect(all[k] == (long long)size * (first + k) + size * (size - 1) / 2, "the part of the sum in place");
}

static void in_place(void) {
  for (int root = 0; root < size; ++root) reduce_in_place(root, MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k) reduce_scatter_in_place(MPI_COMM_WORLD);
}

// Calls in place as the first ones on communicators, which are MPI's.
static void forwarded_in_place(void) {
  for (int root = 0; root < size; ++root) {
    MPI_Comm fresh;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    reduce_in_place(root, fresh);
    MPI_Comm_free(&fresh);
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    reduce_scatter_in_place(fresh);
    MPI_Comm_free(&fresh);
  }
}

// Sums of the types of C++ that C knows: two floats a number.
static void of_cxx(void) {
  enum { n = 5000 };
  static float all[2 * n];
  for (int root = 0; root < size; ++root) {
    for (int k = 0; k < 2 * n; ++k) all[k] = (float)(rank + k);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : all, rank == root ? all : NULL, n, MPI_CXX_FLOAT_COMPLEX, MPI_SUM, root,
               MPI_COMM_WORLD);
    for (int k = 0; k < 2 * n && rank == root; ++k)
      expect(all[k] == (float)(size * k + size * (size - 1) / 2), "the sum of complex numbers in place");
  }
  char is_last = (char)(rank == size - 1), is_some = 0, are_all = 1;
  MPI_Allreduce(&is_last, &is_some, 1, MPI_CXX_BOOL, MPI_LOR, MPI_COMM_WORLD);
  MPI_Allreduce(&is_last, &are_all, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
  expect(is_some == 1 && are_all == (size == 1), "the logic of C++");
}

// The calls of MPI 4 whose counts are MPI_Count.
static void large(void) {
#if MPI_VERSION >= 4
  enum { n = 1000 };
  MPI_Count counts[64];
  MPI_Aint places[64];
  static int mine[64 * n], all[64 * n];
  for (int round = 0; round < 5; ++round) {
    for (int r = 0; r < size; ++r) counts[r] = n - r, places[r] = (MPI_Aint)r * n;
    for (int k = 0; k < size * n; ++k) mine[k] = rank + k, all[k] = -1;
    MPI_Allgatherv_c(mine, n - rank, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) expect(all[r * n + n - r - 1] == r + n - r - 1, "MPI_Allgatherv_c");
    MPI_Allreduce_c(mine, all, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(all[n - 1] == size * (size - 1) / 2 + size * (n - 1), "MPI_Allreduce_c");
    MPI_Bcast_c(all, n, MPI_INT, size - 1, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) counts[r] = n;
    MPI_Alltoallv_c(mine, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) expect(all[r * n] == r + rank * n, "MPI_Alltoallv_c");
    MPI_Reduce_scatter_block_c(mine, all, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(all[0] == size * (size - 1) / 2 + size * rank * n, "MPI_Reduce_scatter_block_c");
    MPI_Scatter_c(mine, n, MPI_INT, all, n, MPI_INT, 0, MPI_COMM_WORLD);
    expect(all[n - 1] == rank * n + n - 1, "MPI_Scatter_c");
  }
#endif
}

static void add(void* left, void* right, int* n, MPI_Datatype* type) {
  (void)type;
  int flag;
  MPI_Initialized(&flag);  // an operator may call MPI
  for (int k = 0; k < *n; ++k) ((int*)right)[k] += ((int*)left)[k];
}

static void operator(void) {
  for (int k = 0; k < rounds; ++k) {
    MPI_Op own;
    MPI_Op_create(add, k % 2, &own);
    int mine = rank, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, own, MPI_COMM_WORLD);
    MPI_Op_free(&own);
    expect(sum == size * (size - 1) / 2, "the sum by an operator of the program's");
  }
}

static void killed(void) {
  for (int k = 0;; ++k) {
    expect_sum(MPI_COMM_WORLD);
    if (k == 100 && rank == size - 1) raise(SIGKILL);
  }
}

static void exits(void) {
  expect_sums(MPI_COMM_WORLD, 10);
  if (rank == size - 1) MPI_Abort(MPI_COMM_WORLD, 9);
  for (;;) expect_sum(MPI_COMM_WORLD);
}

// For a program that is checked: ranks that call different things, and one that waits for a message.
static void different(void) {
  int number = 0;
  expect_sum(MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Barrier(MPI_COMM_WORLD);
}

static void hang(void) {
  int number = 0;
  expect_sum(MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Recv(&number, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Barrier(MPI_COMM_WORLD);
}

// One that is amid what takes memory when it is asked where it is.
static void busy(void) {
  expect_sum(MPI_COMM_WORLD);
  if (rank == 1)
    for (void* volatile place;; free(place)) place = malloc(100000);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Rank 0 comes late: once the file is there that the test makes.
static void come_late(void) {
  while (rank == 0 && access(getenv("LATE_UNTIL"), F_OK) != 0) usleep(1000);
}

static void late(void) {
  expect_sum(MPI_COMM_WORLD);
  come_late();
  expect_sum(MPI_COMM_WORLD);
}

static void late_message(void) {
  int number = 0;
  expect_sum(MPI_COMM_WORLD);
  come_late();
  if (rank == 0)
    for (int to = 1; to < size; ++to) MPI_Send(&to, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
  else
    MPI_Recv(&number, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect(number == rank, "the message");
}

static void late_copy(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  come_late();
  expect_sum(copy);
  MPI_Comm_free(&copy);
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  rounds = argc > 2 ? atoi(argv[2]) : 1000;
  begin(strcmp(way, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
  static const struct Way ways[] = {{"finalize", finalize}, {"between", between}, {"threads", threads},
                                    {"mismatch", mismatch}, {"bottom", bottom}, {"bits", bits}, {"in_place", in_place},
                                    {"forwarded_in_place", forwarded_in_place}, {"of_cxx", of_cxx},
                                    {"communicators", communicators}, {"large", large},
                                    {"operator", operator},
                                     {"killed", killed},
                                     {"exits", exits},
                                     {"different", different},
                                     {"hang", hang},
                                     {"busy", busy},
                                     {"late", late},
                                     {"late_message", late_message},
                                     {"late_copy", late_copy},
                                     {"callbacks", callbacks},
                                     {"refusals", refusals},
                                     {NULL, NULL}};
  run_way(ways, way);
  MPI_Finalize();
  expect(strcmp(way, "finalize") != 0 || called_at_the_end, "the callback at the end");
  say_as_expected();
  return 0;
}
