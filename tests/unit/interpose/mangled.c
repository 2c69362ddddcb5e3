// An MPI program that knows nothing of tutti, which calls a function of Fortran under all names that compilers give to
// it. Prints "as expected" on rank 0, or what was not.
//
//     mangled

#include "unchanged.h"

typedef void Sum(const void*, void*, const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* op, const MPI_Fint* comm,
                 MPI_Fint* code);
Sum mpi_allreduce, mpi_allreduce_, mpi_allreduce__, MPI_ALLREDUCE;

int main(void) {
  begin(MPI_THREAD_SINGLE);
  Sum* const names[] = {mpi_allreduce, mpi_allreduce_, mpi_allreduce__, MPI_ALLREDUCE};
  for (int k = 0; k < 4; ++k) {
    const MPI_Fint n = 1, type = MPI_Type_c2f(MPI_INT), op = MPI_Op_c2f(MPI_SUM), comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Fint code = -1;
    const int mine = rank + k;
    int sum = -1;
    names[k](&mine, &sum, &n, &type, &op, &comm, &code);
    expect(code == MPI_SUCCESS && sum == size * k + size * (size - 1) / 2, "the sum");
  }
  MPI_Finalize();
  say_as_expected();
  return 0;
}
