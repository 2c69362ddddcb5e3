// An MPI program that knows nothing of tutti, whose ranks wait for what never comes, or call what does not go together,
// and get errors back: they go on, and each call returns. Prints "rank R got N errors", and "rank R ended" at the end.
//
//     returned WAY HANDLER
//
// A way that begins with '+' comes after a collective of the communicator. The handler is "returns", "own" or "jumps".

#include <setjmp.h>

#include "unchanged.h"

static int errors;
static int buffer[16];

static jmp_buf back;
static int may_jump, jumps;
static void hear(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }
static void jump(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  if (may_jump) longjmp(back, 1);
}

static void note(int code) { errors += code != MPI_SUCCESS; }

// The call, or its error handler, ends here.
#define CALL(...)          \
  do {                     \
    may_jump = 1;          \
    if (setjmp(back) == 0) \
      note(__VA_ARGS__);   \
    else                   \
      ++errors;            \
    may_jump = 0;          \
  } while (0)

static MPI_Comm world, copies[2], half, between;

static void leave(void) {
  if (rank != 0) CALL(MPI_Barrier(world));
}
static void operators(void) {
  int sum;
  CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank == 0 ? MPI_MAX : MPI_SUM, world));
}
static void receive(void) {
  if (rank != 0)
    CALL(MPI_Recv(buffer, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE));
  else
    CALL(MPI_Bcast(buffer, 1, MPI_INT, 0, world));
}
static void receives(void) { CALL(MPI_Recv(buffer, 1, MPI_INT, (rank + 1) % size, 0, world, MPI_STATUS_IGNORE)); }
static void copy(void) {
  MPI_Comm fresh = world;
  if (rank != 0) CALL(MPI_Comm_dup(world, &fresh));
  // A jump comes before the call has returned.
  if (rank != 0 && !jumps) expect(fresh == MPI_COMM_NULL, "no communicator where none was made");
}
static void begun(void) {
  MPI_Request request;
  if (rank == 0) return;
  MPI_Ibarrier(world, &request);
  CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}
static void mixed(void) {
  MPI_Request request;
  if (rank != 0) CALL(MPI_Barrier(world));
  if (rank == 0) MPI_Ibarrier(world, &request);
  if (rank == 0) CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}
static void two(void) {
  CALL(MPI_Barrier(copies[rank == 0]));
  CALL(MPI_Barrier(copies[rank != 0]));
}
static void window(void) {
  MPI_Win win;
  if (rank != 0) CALL(MPI_Win_create(buffer, sizeof(buffer), 1, MPI_INFO_NULL, world, &win));
}
static void groups(void) {
  if (rank != 0) CALL(MPI_Barrier(between));
}
// Communicators on which waits were given up go.
static void freed(void) {
  if (rank != 0) CALL(MPI_Barrier(copies[0]));
  if (rank != 0) CALL(MPI_Barrier(copies[1]));
  CALL(MPI_Comm_free(&copies[0]));
  CALL(MPI_Comm_disconnect(&copies[1]));
}

// Calls that a program makes which looks at no code. None of them may be the last one.
static void go_on(void) {
  static int calls = 4;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm fresh = MPI_COMM_NULL;
  int sum;
  while (--calls >= 0) {
    CALL(MPI_Barrier(world));
    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world));
  }
  CALL(MPI_Ibarrier(world, &request));
  CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CALL(MPI_Comm_dup(world, &fresh));
  CALL(MPI_Comm_split(world, 0, 0, &fresh));
  if (fresh != MPI_COMM_NULL) CALL(MPI_Barrier(fresh));
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  static const struct Way ways[] = {
      {"leave", leave},   {"operators", operators}, {"receive", receive}, {"receives", receives},
      {"copy", copy},     {"begun", begun},         {"mixed", mixed},     {"two", two},
      {"window", window}, {"groups", groups},       {"freed", freed},     {NULL, NULL}};
  const char* way = argc > 1 ? argv[1] : "";
  const char* handler = argc > 2 ? argv[2] : "";
  const int is_later = way[0] == '+';
  MPI_Errhandler own = MPI_ERRORS_RETURN;
  if (strcmp(handler, "own") == 0) MPI_Comm_create_errhandler(hear, &own);
  jumps = strcmp(handler, "jumps") == 0;
  if (jumps) MPI_Comm_create_errhandler(jump, &own);
  world = MPI_COMM_WORLD;
  way += is_later;
  if (strcmp(way, "two") == 0 || strcmp(way, "freed") == 0 || strcmp(way, "groups") == 0) {
    for (int k = 0; k < 2; ++k) MPI_Comm_dup(world, &copies[k]);
    MPI_Comm_split(world, rank == 0, 0, &half);
    MPI_Intercomm_create(half, 0, world, rank == 0 ? 1 : 0, 3, &between);
    for (int k = 0; k < 2; ++k) MPI_Comm_set_errhandler(copies[k], own);
    MPI_Comm_set_errhandler(between, own);
    if (is_later) expect_sum(copies[0]), expect_sum(copies[1]), MPI_Barrier(between);
  }
  MPI_Comm_set_errhandler(world, own);
  if (is_later) expect_sum(world);
  run_way(ways, way);
  if (rank != 0) go_on();
  printf("rank %d got %s\n", rank, errors > 0 ? "errors" : "none");
  fflush(stdout);
  MPI_Finalize();
  printf("rank %d ended\n", rank);
  return 0;
}
