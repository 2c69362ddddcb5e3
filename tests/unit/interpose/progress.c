// An MPI program that knows nothing of tutti, whose ranks owe one another something of MPI's while they wait in
// collectives. Prints "as expected" on rank 0, or what was not.
//
//     progress WAY [ROUNDS]

#define _GNU_SOURCE

#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "unchanged.h"

// Messages of rank 0 to the last rank, which has received them all before it comes to the collective. The sender waits
// for them after it alone.
static void send_beside_collective(int messages, int bytes) {
  char *const data = calloc((size_t)messages, (size_t)bytes);
  MPI_Request *const requests = malloc((size_t)messages * sizeof(*requests));
  for (int k = 0; k < rounds; ++k) {
    for (int at = 0; at < messages; ++at) {
      char *const message = data + (size_t)at * (size_t)bytes;
      requests[at] = MPI_REQUEST_NULL;
      if (rank == 0) {
        message[bytes - 1] = (char)(k + at);
        MPI_Isend(message, bytes, MPI_CHAR, size - 1, 5, MPI_COMM_WORLD, &requests[at]);
      } else if (rank == size - 1) {
        MPI_Recv(message, bytes, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(message[bytes - 1] == (char)(k + at), "the message");
      }
    }
    expect_sum(MPI_COMM_WORLD);
    for (int at = 0; at < messages; ++at) MPI_Wait(&requests[at], MPI_STATUS_IGNORE);
  }
  free(requests);
  free(data);
}

// A rendezvous. Where the receiver may read the sender's memory, it needs the sender no more.
static void isend(void) { send_beside_collective(1, 1 << 20); }

// More than MPI has room for on its way: the sender passes on what is left while it waits.
static void queue(void) {
  send_beside_collective(200, 16000);
  send_beside_collective(2000, 4000);
}

// A synchronous send to a rank that is in a collective already.
static void ssend(void) {
  for (int k = 0; k < rounds; ++k) {
    int number = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) MPI_Irecv(&number, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Ssend(&k, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(rank != 0 || number == k, "the number that was sent");
  }
}

// One-sided work on the memory of a rank that is in a collective, and calls nothing of MPI's.
static void window(void) {
  long *memory;
  MPI_Win window;
  MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  *memory = 0;
  MPI_Win_lock_all(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  const long one = 1;
  for (int k = 0; k < rounds; ++k) {
    if (rank != 0) {
      MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, window);
      MPI_Win_flush(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  expect(rank != 0 || *memory == (long)(size - 1) * rounds, "what others have added");
  MPI_Win_free(&window);
}

// Each kind of one-sided request, on the memory of the next rank.
static void requests(void) {
  static long memory[3];
  const int next = (rank + 1) % size;
  const long one = 1;
  MPI_Win window;
  MPI_Request request;
  MPI_Win_create(memory, sizeof(memory), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  for (long k = 0; k < rounds; ++k) {
    long before = -1, there = -1;
    MPI_Rput(&k, 1, MPI_LONG, next, 0, 1, MPI_LONG, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Raccumulate(&one, 1, MPI_LONG, next, 1, 1, MPI_LONG, MPI_SUM, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(next, window);
    MPI_Rget_accumulate(&one, 1, MPI_LONG, &before, 1, MPI_LONG, next, 2, 1, MPI_LONG, MPI_SUM, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rget(&there, 1, MPI_LONG, next, 0, 1, MPI_LONG, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(before == k && there == k, "what was there, and what was put there");
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&window);
  expect(memory[0] == rounds - 1 && memory[1] == rounds && memory[2] == rounds, "what the rank before has left");
}

static struct rusage usage_of_thread(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage;
}

static void lock_and_unlock(MPI_Win window) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Win_unlock(0, window);
}

static void get_and_wait(MPI_Win window) {
  for (int k = 0; k < 3; ++k) {
    long there;
    MPI_Request request;
    MPI_Rget(&there, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

// Rank 0 waits, in a collective or for a message, while rank 1 needs its MPI for one call after another. Whether rank
// 0 sleeps less often than it is called, and so makes no call wait for the end of a nap. Nothing is put there: MPICH
// 4.0.2 now and then writes beside it.
static int naps_seldom(MPI_Win window, void (*need)(MPI_Win), int for_message) {
  expect_sum(MPI_COMM_WORLD);
  const long before = usage_of_thread().ru_nvcsw;
  for (int k = 0; rank == 1 && k < rounds; ++k) need(window);
  if (!for_message) MPI_Barrier(MPI_COMM_WORLD);
  if (for_message && rank == 1) MPI_Send(NULL, 0, MPI_INT, 0, 8, MPI_COMM_WORLD);
  if (for_message && rank == 0) MPI_Recv(NULL, 0, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int seldom = usage_of_thread().ru_nvcsw - before < rounds;
  MPI_Bcast(&seldom, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return seldom;
}

// Returns how often the ranks' cores were taken from them, both together.
static long losses(void) {
  long all = usage_of_thread().ru_nivcsw;
  PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// The thread may nap where others take its core, so that it is asked again, and no answer is expected on cores that are taken
// again and again.
static void expect_few_naps(MPI_Win window, void (*need)(MPI_Win)) {
  enum { most = 10, few_losses = 4 * most };
  for (int for_message = 0; for_message < 2; ++for_message) {
    const long before = losses();
    int seldom = 0;
    for (int k = 0; k < most && !seldom; ++k) seldom = naps_seldom(window, need, for_message);
    expect(seldom || losses() - before > few_losses, for_message ? "few naps in MPI_Recv" : "few naps in a collective");
  }
}

static void targets(void) {
  static long memory;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  expect_few_naps(window, lock_and_unlock);
  MPI_Win_free(&window);
}

// One-sided requests, whose window was locked a while ago, need few naps.
static void gets(void) {
  static long memory;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  usleep(50000);
  expect_few_naps(window, get_and_wait);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

// A thread that waits in MPI yields its core, and has the shortest time slice, so that it gives up little with each yield. Where
// the system lets nobody set slices, or has none, any will do.
static void slices(void) {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } own = {.size = sizeof(own)};
  const int may_ask =
      syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) == 0 && syscall(SYS_sched_setattr, 0, &own, 0) == 0;
  expect(!may_ask || own.runtime <= 100000, "a short time slice");
  expect_sum(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  rounds = argc > 2 ? atoi(argv[2]) : 1000;
  begin(MPI_THREAD_SINGLE);
  static const struct Way ways[] = {
      {"gets", gets},     {"isend", isend}, {"queue", queue},     {"requests", requests},
      {"slices", slices}, {"ssend", ssend}, {"targets", targets}, {"window", window},
      {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
