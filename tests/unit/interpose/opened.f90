! What a program of C opens: a sum in place over all ranks, and a call that is left to MPI.
subroutine add_ranks(number)
  use mpi
  implicit none
  integer :: number, code
  call MPI_Allreduce(MPI_IN_PLACE, number, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  call MPI_Barrier(MPI_COMM_SELF, code)
end subroutine
