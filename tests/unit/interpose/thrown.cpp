// An MPI program of C++ that knows nothing of tutti, whose error handler throws. Prints "caught", with what, on each
// rank that waits for rank 0, and ends.
//
//     thrown WAY

#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace {

void raise(MPI_Comm*, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(*code, text, &length);
  throw std::runtime_error(text);
}

/// Calls once more after the first exception: each call gets one.
template <typename Call>
void call_twice(const Call& call) {
  for (int k = 0; k < 2; ++k) {
    try {
      call();
      std::printf("nothing was thrown\n");
    } catch (const std::runtime_error& error) {
      std::printf("caught: %s\n", error.what());
    }
  }
  std::fflush(stdout);
}

void wait_for_first(const char* way) {
  if (std::strcmp(way, "barrier") == 0) call_twice([] { MPI_Barrier(MPI_COMM_WORLD); });
  if (std::strcmp(way, "receive") == 0)
    call_twice([] {
      int number = 0;
      MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
  if (std::strcmp(way, "copy") == 0)
    call_twice([] {
      MPI_Comm copy = MPI_COMM_NULL;
      MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    });
  if (std::strcmp(way, "begun") == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    call_twice([&] { MPI_Wait(&request, MPI_STATUS_IGNORE); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(raise, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  if (rank != 0 && argc > 1) wait_for_first(argv[1]);
  MPI_Finalize();
  std::printf("rank %d ended\n", rank);
}
