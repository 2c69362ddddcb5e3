// An MPI program that knows nothing of tutti, whose ranks wait for messages that never come, or come late. Prints "as
// expected" on rank 0 where it goes on, or what was not.
//
//     deadlocks WAY [threads]

#include <pthread.h>

#include "unchanged.h"

enum { long_message = 1 << 22 };
static char from[long_message], to[long_message];

static void receive(int source, int tag) {
  MPI_Recv(to, 1, MPI_CHAR, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

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

// What rank 1 has sent is not what rank 0 waits for.
static void tags(void) {
  MPI_Request both[2];
  MPI_Status statuses[2];
  MPI_Isend(from, long_message, MPI_CHAR, 1 - rank, rank, MPI_COMM_WORLD, &both[0]);
  MPI_Irecv(to, long_message, MPI_CHAR, 1 - rank, 5 + rank, MPI_COMM_WORLD, &both[1]);
  MPI_Waitall(2, both, statuses);
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
  if (rank == 0) expect(strstr(text, "rank 0 waits for rank 1 to send with tag 6, in MPI_Recv of the copy") != NULL, text);
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
    MPI_Sendrecv(from, long_message, MPI_CHAR, after, way, to, long_message, MPI_CHAR, before, way, MPI_COMM_WORLD,
                 &status);
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

static void slow(void) {
  for (int way = 0; way < 5; ++way) wait_in_turn(way);
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
  static const struct Way ways[] = {{"receives", receives}, {"ring", ring}, {"sends", sends}, {"finalized", finalized},
                                    {"collective", collective}, {"late_collective", late_collective}, {"tags", tags}, {"any", any}, {"exchanges", exchanges},
                                    {"handled", handled}, {"slow", slow}, {"first_collective", first_collective},
                                    {"first_of_all_but_one", first_of_all_but_one}, {"helped", helped}, {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
