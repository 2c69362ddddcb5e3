! A program of Fortran that knows nothing of tutti, for both of MPI's modules (MODULE is one of them), whose two ranks pass
! what does not go together: a buffer, a signature or an argument of a grid; and, in the way "alike", what only looks so.
! Prints "as expected" on rank 0, or what was not.
!
!     data [buffer | begun | signature | grid | alike]
program data
  use MODULE
  implicit none
  integer :: code, rank, last
  integer :: whole(8), came(8), dims(1)
  double precision :: halves(4)
  logical :: periods(1)
  character(20) :: way
#if IS_F08
  type(MPI_Request) :: request
  type(MPI_Comm) :: grid
#else
  integer :: request, grid
#endif
  interface
    function alarm(seconds) bind(c) result(left)
      use iso_c_binding, only: c_int
      integer(c_int), value :: seconds
      integer(c_int) :: left
    end function alarm
  end interface
  ! A rank that hangs ends its job, long after any test has ended.
  code = alarm(200)
  call mpi_init(code)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, code)
  whole = rank
  halves = 0.5d0
  way = ''
  call get_command_argument(1, way)
  if (way == 'alike') then
    call mpi_reduce(whole, came, 8, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
    if (rank == 0) call mpi_gather(MPI_IN_PLACE, 4, MPI_INTEGER, whole, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    if (rank == 1) call mpi_gather(whole, 4, MPI_INTEGER, came, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    if (rank == 0) call mpi_bcast(halves, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
    if (rank == 1) call mpi_bcast(halves, 4, MPI_REAL8, 0, MPI_COMM_WORLD, code)
    dims = 2
    periods = .true.
    call mpi_cart_create(MPI_COMM_WORLD, 1, dims, periods, .true., grid, code)
    if (rank == 0) print '(a)', 'as expected'
    call mpi_finalize(code)
    stop
  end if
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, code)
  code = MPI_SUCCESS
  if (way == 'buffer') then
    if (rank == 0) call mpi_reduce(whole, came, 8, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
    if (rank == 1) call mpi_reduce(MPI_IN_PLACE, came, 8, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
  else if (way == 'begun') then
    if (rank == 0) call mpi_iallreduce(whole, came, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, code)
    if (rank == 1) call mpi_iallreduce(whole, MPI_IN_PLACE, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, code)
    if (rank == 0) call mpi_wait(request, MPI_STATUS_IGNORE, code)
  else if (way == 'signature') then
    if (rank == 0) call mpi_bcast(halves, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
    if (rank == 1) call mpi_bcast(whole, 8, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  else if (way == 'grid') then
    dims = 2
    periods = rank == 1
    call mpi_cart_create(MPI_COMM_WORLD, 1, dims, periods, .false., grid, code)
  end if
  last = code
  if (last /= MPI_SUCCESS .and. rank == 0) print '(a)', 'as expected'
  call mpi_abort(MPI_COMM_WORLD, 0, code)
end program data
