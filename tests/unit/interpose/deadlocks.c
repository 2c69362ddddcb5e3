// An MPI program that knows nothing of tutti, whose ranks wait for messages that never come, or come late. Prints "as
// expected" on rank 0 where it goes on, or what was not.
//
//     deadlocks WAY [threads]

#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include "unchanged.h"

enum { long_message = 1 << 22 };
static char from[long_message], to[long_message];

static void receive(int source, int tag) { MPI_Recv(to, 1, MPI_CHAR, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void receives(void) { receive(1 - rank, 7); }

static void ring(void) { MPI_Ssend(from, 1, MPI_CHAR, (rank + 1) % size, 3, MPI_COMM_WORLD); }

// Too long for what MPI takes in by itself.
static void sends(void) { MPI_Send(from, long_message, MPI_CHAR, (rank + 1) % size, 4, MPI_COMM_WORLD); }

static void finalized(void) {
  MPI_Request both[2];
  MPI_Status statuses[2];
  for (int k = 0; k < 2 && rank == 0; ++k) MPI_Irecv(to + k, 1, MPI_CHAR, 1, k, MPI_COMM_WORLD, &both[k]);
  if (rank == 1) MPI_Send(from, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  if (rank == 0) MPI_Waitall(2, both, statuses);
}

static void collective_after(unsigned seconds) {
  expect_sum(MPI_COMM_WORLD);
  if (rank == 1) receive(0, 9);
  sleep(seconds);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void first_collective(void) {
  if (rank == 1) receive(0, 9);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void first_of_all_but_one(void) {
  if (rank != 1) MPI_Barrier(MPI_COMM_WORLD);
}

static void collective(void) { collective_after(0); }
static void late_collective(void) { collective_after(2); }

// Rank 1 has sent another message than rank 0 waits for.
static void tags(void) {
  MPI_Request both[2];
  MPI_Status statuses[2];
  MPI_Isend(from, long_message, MPI_CHAR, 1 - rank, rank, MPI_COMM_WORLD, &both[0]);
  MPI_Irecv(to, long_message, MPI_CHAR, 1 - rank, 5 + rank, MPI_COMM_WORLD, &both[1]);
  MPI_Waitall(2, both, statuses);
}

// Nonblocking collectives, of which rank 1 has not begun the last one.
static void wait_for_begun(int way) {
  MPI_Request both[2];
  MPI_Status statuses[2];
  int mine = rank, all = -1, at = -1;
  expect_sum(MPI_COMM_WORLD);
  MPI_Ibcast(from, 1, MPI_CHAR, 1, MPI_COMM_WORLD, &both[0]);
  if (rank != 1) MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &both[1]);
  if (rank == 1) MPI_Wait(&both[0], statuses);
  if (rank == 1 && way == 0) receive(0, 6);
  if (rank == 1 && way == 1) return;
  if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Waitall(2, both, statuses);
  MPI_Waitany(2, both, &at, statuses);
}
static void begun_and_message(void) { wait_for_begun(0); }
static void begun_and_end(void) { wait_for_begun(1); }
static void begun_and_barrier(void) { wait_for_begun(2); }

// All have copied the communicator, and rank 1 has not begun to send parts from its root.
static void copies(void) {
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1) receive(0, 6);
  MPI_Iscatter(from, 1, MPI_CHAR, to, 1, MPI_CHAR, 1, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Rank 0 sends on one copy of a communicator, and rank 1 receives on another one.
static void two_copies(void) {
  MPI_Comm first, second;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  if (rank == 0) MPI_Ssend(from, 1, MPI_CHAR, 1, 5, first);
  if (rank == 1) MPI_Recv(to, 1, MPI_CHAR, 0, 5, second, MPI_STATUS_IGNORE);
}

// Each of the others could send what rank 0 waits for.
static void any(void) {
  MPI_Status status;
  if (rank == 0)
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  else
    receive(0, rank);
}

// Rank 0 alone of two that it could go on with waits for ever.
static void exchanges(void) {
  if (rank < 2)
    MPI_Sendrecv(from, 1, MPI_CHAR, 1 - rank, 1, to, 1, MPI_CHAR, rank == 0 ? 1 : 0, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  else
    receive(0, 0);
}

// A program that handles the error goes on.
static void handled(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Comm_set_name(copy, "the copy");
  const int code = MPI_Recv(to, 1, MPI_CHAR, (rank + 1) % size, 6, copy, MPI_STATUS_IGNORE);
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text, &length);
  if (rank == 0)
    expect(strstr(text, "rank 0 waits for rank 1 to send with tag 6, in MPI_Recv of the copy") != NULL, text);
  expect((rank == 0) == (code != MPI_SUCCESS), "an error on rank 0 alone");
  MPI_Send(from, 1, MPI_CHAR, (rank + size - 1) % size, 6, copy);
  if (rank == 0) MPI_Recv(to, 1, MPI_CHAR, 1, 6, copy, MPI_STATUS_IGNORE);
}

// All wait for one that computes for long, in each of the ways there are to wait, and for one another in between.
static void wait_in_turn(int way) {
  enum { computes = 1 };
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  MPI_Request both[2];
  MPI_Status status, statuses[2];
  memset(from, rank + 1, long_message);
  if (rank == computes) sleep(3);
  if (way == 0) {  // a ring, which the one that computes begins
    if (rank != computes) MPI_Recv(to, long_message, MPI_CHAR, before, way, MPI_COMM_WORLD, &status);
    MPI_Send(from, long_message, MPI_CHAR, after, way, MPI_COMM_WORLD);
    if (rank == computes) MPI_Recv(to, long_message, MPI_CHAR, MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &status);
  } else if (way == 1) {
    MPI_Irecv(to, long_message, MPI_CHAR, before, way, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(from, long_message, MPI_CHAR, after, way, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, statuses);
  } else if (way == 2) {
    status.MPI_ERROR = 77;
    MPI_Sendrecv(from, long_message, MPI_CHAR, after, way, to, long_message, MPI_CHAR, before, way, MPI_COMM_WORLD,
                 &status);
    expect(status.MPI_ERROR == 77 && status.MPI_SOURCE == before, "what a function with one status leaves as it is");
  } else if (way == 3) {
    memcpy(to, from, long_message);
    MPI_Sendrecv_replace(to, long_message, MPI_CHAR, after, way, before, way, MPI_COMM_WORLD, &status);
  } else {  // requests that come again, one by one
    int at;
    MPI_Recv_init(to, long_message, MPI_CHAR, before, way, MPI_COMM_WORLD, &both[0]);
    MPI_Ssend_init(from, long_message, MPI_CHAR, after, way, MPI_COMM_WORLD, &both[1]);
    MPI_Startall(2, both);
    MPI_Waitany(2, both, &at, &status);
    MPI_Wait(&both[1 - at], &status);
    for (int k = 0; k < 2; ++k) MPI_Request_free(&both[k]);
  }
  expect(to[0] == before + 1 && to[long_message - 1] == before + 1, "what the rank before has sent");
}

// One rank begins them long after the others, who wait for them in several ways and orders, on communicators that have
// the same ranks.
static void begin_in_turn(void) {
  enum { most = 8 };
  MPI_Comm copies[2];
  MPI_Request all[most], copy;
  MPI_Status statuses[most];
  int sum[most], mine = 1, at = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &copies[0]);
  MPI_Comm_idup(MPI_COMM_WORLD, &copies[1], &copy);
  MPI_Wait(&copy, statuses);
  for (int late = 0; late < 2; ++late) {
    if (rank == late) sleep(3);
    for (int k = 0; k < most; ++k) {
      MPI_Comm on = copies[(k + rank) % 2];  // each rank has an order of its own among communicators
      if (k / 2 == 0) MPI_Ibarrier(on, &all[k]);
      if (k / 2 == 1) MPI_Iallreduce(&mine, &sum[k], 1, MPI_INT, MPI_SUM, on, &all[k]);
      if (k / 2 == 2) MPI_Ibcast(&from[k], 1, MPI_CHAR, late, on, &all[k]);
      if (k / 2 == 3) MPI_Iscan(&mine, &sum[k], 1, MPI_INT, MPI_SUM, on, &all[k]);
    }
    MPI_Waitany(1, all, &at, statuses);
    MPI_Waitall(most / 2, all, statuses);
    expect(sum[2] == size && sum[3] == size, "a sum");
    MPI_Barrier(copies[0]);
    for (int k = most / 2; k < most; ++k) MPI_Wait(&all[k], statuses);
    expect(sum[6] == rank + 1 && sum[7] == rank + 1, "a sum of the ranks before");
  }
  for (int k = 0; k < 2; ++k) MPI_Comm_free(&copies[k]);
}

// More than 2^32 bytes that go nowhere, and are nobody's.
static void exchange_nothing(void) {
  const int n = (1 << 30) + 1;
  MPI_Status status;
  void* const data =
      mmap(NULL, (size_t)n * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  expect(data != MAP_FAILED, "addresses");
  MPI_Sendrecv_replace(data, n, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  expect(status.MPI_SOURCE == MPI_PROC_NULL, "no source");
  munmap(data, (size_t)n * 4);
}

static void slow(void) {
  for (int way = 0; way < 5; ++way) wait_in_turn(way);
  begin_in_turn();
  exchange_nothing();
}

// Another thread sends what all wait for, each for the one before it, and has not been in MPI before.
static void* help(void* unused) {
  sleep(4);
  MPI_Send(from, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
  return unused;
}
static void helped(void) {
  pthread_t helper;
  if (rank == 0) pthread_create(&helper, NULL, help, NULL);
  if (rank != 0) receive(rank - 1, 1);
  if (rank != 0) MPI_Send(from, 1, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD);
  if (rank == 0) receive(size - 1, 1);
  if (rank == 0) pthread_join(helper, NULL);
}

int main(int argc, char** argv) {
  begin(argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
  static const struct Way ways[] = {{"receives", receives},
                                    {"ring", ring},
                                    {"sends", sends},
                                    {"finalized", finalized},
                                    {"collective", collective},
                                    {"late_collective", late_collective},
                                    {"tags", tags},
                                    {"two_copies", two_copies},
                                    {"any", any},
                                    {"exchanges", exchanges},
                                    {"handled", handled},
                                    {"slow", slow},
                                    {"first_collective", first_collective},
                                    {"first_of_all_but_one", first_of_all_but_one},
                                    {"helped", helped},
                                    {"begun_and_message", begun_and_message},
                                    {"begun_and_end", begun_and_end},
                                    {"begun_and_barrier", begun_and_barrier},
                                    {"copies", copies},
                                    {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
