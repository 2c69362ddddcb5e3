// An MPI program that knows nothing of tutti, and opens a library of Fortran for itself alone. Prints "as expected" on
// rank 0, or what was not.
//
//     opener LIBRARY

#include <dlfcn.h>

#include "unchanged.h"

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  expect(library != NULL, "a library");
  void (*const add)(int*) = (void (*)(int*))dlsym(library, "add_ranks_");
  expect(add != NULL, "a subroutine");
  for (int k = 0; k < 5; ++k) {
    int number = rank + k;
    add(&number);
    expect(number == size * (size - 1) / 2 + size * k, "the sum that Fortran made");
    expect_sum(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  say_as_expected();
  return 0;
}
