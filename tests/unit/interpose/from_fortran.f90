! A program of Fortran that knows nothing of tutti, for both of MPI's modules (MODULE is one of them). Prints
! "as expected" on rank 0, or what was not.
program from_fortran
  use MODULE
  implicit none
  integer, parameter :: n = 4096
  integer :: code, rank, ranks, k, r
  integer :: mine(n), all(n), counts(64), places(64), gathered(64 * n)
  double precision :: numbers(n), sums(n)
  call mpi_init(code)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, code)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, code)
  call combine_offsets
  do k = 1, 10
    mine = rank + 1
    call mpi_allreduce(mine, all, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call expect(all(n) == ranks * (ranks + 1) / 2, 'sum')
    call mpi_allreduce(MPI_IN_PLACE, mine, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, code)
    call expect(mine(n) == ranks, 'maximum in place')
    numbers = rank
    call mpi_bcast(numbers, n, MPI_DOUBLE_PRECISION, ranks - 1, MPI_COMM_WORLD, code)
    call expect(numbers(n) == ranks - 1, 'broadcast')
    numbers = 1
    call mpi_scan(numbers, sums, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    call expect(sums(1) == rank + 1, 'scan')
    call mpi_reduce(numbers, sums, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, code)
    if (rank == 0) call expect(sums(n) == ranks, 'reduction')
    do r = 1, ranks
      counts(r) = r
      places(r) = n * (r - 1)
    end do
    mine = rank
    call mpi_allgatherv(mine, rank + 1, MPI_INTEGER, gathered, counts, places, MPI_INTEGER, MPI_COMM_WORLD, code)
    call expect(gathered(places(ranks) + ranks) == ranks - 1, 'all-gather by counts')
    call mpi_alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, mine, n / 64, MPI_INTEGER, MPI_COMM_WORLD, code)
    call expect(mine((ranks - 1) * (n / 64) + 1) == ranks - 1, 'all-to-all in place')
    call mpi_barrier(MPI_COMM_WORLD, code)
  end do
  call read_apart
  if (rank == 0) print '(a)', 'as expected'
  call mpi_finalize(code)
contains
  ! Numbers that are compared as signed ones whoever combines them; calls on a communicator that is new are MPI's.
  subroutine combine_offsets
    integer(MPI_OFFSET_KIND), asynchronous :: own(1), least(1)
#if IS_F08
    type(MPI_Request) :: request
#else
    integer :: request
#endif
    own = -rank
    call mpi_iallreduce(own, least, 1, MPI_OFFSET, MPI_MIN, MPI_COMM_WORLD, request, code)
    call mpi_wait(request, MPI_STATUS_IGNORE, code)
    call expect(least(1) == 1 - ranks, 'the least offset')
    call mpi_allreduce(own, least, 1, MPI_OFFSET, MPI_MIN, MPI_COMM_WORLD, code)
    call expect(least(1) == 1 - ranks, 'the least offset of a blocking call')
    own = 3
    call mpi_reduce_local(least, own, 1, MPI_OFFSET, MPI_MIN, code)
    call expect(own(1) == min(3, 1 - ranks), 'the least offset of two')
  end subroutine combine_offsets
  ! One-sided requests, of which nothing is written at their targets.
  subroutine read_apart
    integer(MPI_ADDRESS_KIND), parameter :: first = 0
    integer, asynchronous :: own(n), none(n), there(n), before(n)
#if IS_F08
    type(MPI_Win) :: window
    type(MPI_Request) :: request
#else
    integer :: window, request
#endif
    integer :: next
    next = mod(rank + 1, ranks)
    own = rank
    none = 0
    call mpi_win_create(own, 4_MPI_ADDRESS_KIND * n, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, code)
    call mpi_win_lock_all(0, window, code)
    call mpi_rget(there, n, MPI_INTEGER, next, first, n, MPI_INTEGER, window, request, code)
    call mpi_wait(request, MPI_STATUS_IGNORE, code)
    call expect(there(n) == next, 'what a rank has read of the next one')
    call mpi_rget_accumulate(none, n, MPI_INTEGER, before, n, MPI_INTEGER, next, first, n, MPI_INTEGER, MPI_NO_OP, &
                             window, request, code)
    call mpi_wait(request, MPI_STATUS_IGNORE, code)
    call expect(before(n) == next, 'what a rank has found at the next one')
    call mpi_win_unlock_all(window, code)
    call mpi_win_free(window, code)
  end subroutine read_apart
  include 'expect.inc'
end program from_fortran
