// An MPI program that knows nothing of tutti, to which the system gives no memory at some moment: one allocation of
// those that C++ code asks for within a call fails, the first, the second, and so on until a call has come to none that
// does. Each call returns MPI_SUCCESS or MPI_ERR_NO_MEM, or says what is wrong with it. Prints "as expected" on rank 0,
// or what was not.
//
//     starved [mistaken]

#include <dlfcn.h>

#include "unchanged.h"

static int left;  // allocations until one fails; 0: none fails
static int has_failed;

// operator new, which the library finds here.
void* _Znwm(size_t bytes);
void* _Znwm(size_t bytes) {
  if (left > 0 && --left == 0) {
    has_failed = 1;
    ((void (*)(void))dlsym(RTLD_DEFAULT, "_ZSt17__throw_bad_allocv"))();
  }
  return malloc(bytes == 0 ? 1 : bytes);
}

static void expect_code(int code) {
  left = 0;
  expect(code == MPI_SUCCESS || (has_failed && code == MPI_ERR_NO_MEM), "a code that says so");
}

// A message from this rank to itself; what of an earlier one is left over has another tag.
static void exchange_with_itself(int failing) {
  char sent = 1, received = 0;
  MPI_Status statuses[2];
  MPI_Request both[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  left = failing;
  expect_code(MPI_Irecv(&received, 1, MPI_CHAR, rank, failing, MPI_COMM_WORLD, &both[0]));
  left = has_failed ? 0 : failing;
  expect_code(MPI_Isend(&sent, 1, MPI_CHAR, rank, failing, MPI_COMM_WORLD, &both[1]));
  left = has_failed ? 0 : failing;
  expect_code(MPI_Waitall(2, both, statuses));
  // A wait that has failed leaves the requests as they were.
  expect_code(MPI_Waitall(2, both, statuses));
  expect(received == 1 || has_failed, "what was sent");
}

// A call that has failed has left nothing under way.
static void send_and_receive(int failing) {
  char sent = 1, received = 0;
  int is_left = 0;
  const int tag = 1000 + failing;
  left = failing;
  const int code = MPI_Sendrecv(&sent, 1, MPI_CHAR, rank, tag, &received, 1, MPI_CHAR, rank, tag,
                                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_code(code);
  expect((received == 1) == (code == MPI_SUCCESS), "what was sent");
  MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &is_left, MPI_STATUS_IGNORE);
  expect(!is_left, "no message that is left over");
  MPI_Request request;
  received = 0;
  MPI_Irecv(&received, 1, MPI_CHAR, rank, tag, MPI_COMM_WORLD, &request);
  left = failing;
  expect_code(MPI_Send(&sent, 1, MPI_CHAR, rank, tag, MPI_COMM_WORLD));
  if (has_failed) MPI_Send(&sent, 1, MPI_CHAR, rank, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(received == 1, "what was sent again");
  MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &is_left, MPI_STATUS_IGNORE);
  if (is_left) MPI_Recv(&received, 1, MPI_CHAR, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void make_mistake(int failing) {
  enum { most = 64 };
  int in[1] = {rank}, out[2 * most];
  left = failing;
  const int code = MPI_Allgather(in, 1, MPI_INT, out, 2, MPI_INT, MPI_COMM_WORLD);
  left = 0;
  expect(code != MPI_SUCCESS, "a code that is no success");
}

static void starve(void (*call)(int failing)) {
  int failing = 0;
  do {
    has_failed = 0;
    call(++failing);
  } while (has_failed);
  expect(failing > 1, "an allocation that failed");
}

int main(int argc, char** argv) {
  (void)argv;
  begin(MPI_THREAD_SINGLE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (argc > 1) {
    expect_sum(MPI_COMM_WORLD);
    starve(make_mistake);
  } else {
    starve(exchange_with_itself);
    starve(send_and_receive);
  }
  expect_sum(MPI_COMM_WORLD);
  MPI_Finalize();
  say_as_expected();
  return 0;
}
