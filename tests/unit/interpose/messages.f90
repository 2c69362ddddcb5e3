! A program of Fortran that knows nothing of tutti, for both of MPI's modules (MODULE is one of them), whose ranks send
! and receive in a ring by all functions that wait: messages come right, and ranks that wait for ever are named, for one
! another, where one alone copies a communicator, where ranks of a window call different functions and where one polls.
! Prints "as expected" on rank 0, or what was not.
!
!     messages [deadlock | waits | begun | polls | copy | fence]
program messages
  use MODULE
  implicit none
  integer, parameter :: n = 100000
  integer :: code, rank, ranks, before, after, k, at, made(2)
  integer :: mine(n), came(n)
  logical :: is_done
#if IS_F08
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Comm) :: copy
  type(MPI_File) :: file
  type(MPI_Win) :: window
#else
  integer :: requests(2), status(MPI_STATUS_SIZE), copy, file, window
#endif
  character(20) :: way
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
  call mpi_comm_size(MPI_COMM_WORLD, ranks, code)
  before = modulo(rank - 1, ranks)
  after = modulo(rank + 1, ranks)
  way = ''
  if (command_argument_count() > 0) call get_command_argument(1, way)
  if (way == 'begun') then
    call mpi_ibarrier(MPI_COMM_WORLD, requests(1), code)
    call mpi_wait(requests(1), status, code)
    if (rank == 0) call mpi_ibcast(mine, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(1), code)
    if (rank == 0) call mpi_ireduce(mine, came, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, requests(2), code)
    if (rank == 0) call mpi_wait(requests(2), status, code)
    call mpi_recv(came, n, MPI_INTEGER, before, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
  end if
  if (way == 'waits' .and. rank == 0) then
    call mpi_irecv(came, n, MPI_INTEGER, before, 9, MPI_COMM_WORLD, requests(1), code)
    call mpi_wait(requests(1), status, code)
  else if (way == 'waits') then
    call mpi_probe(before, 9, MPI_COMM_WORLD, status, code)
  end if
  if (way == 'polls') call poll_in_turn()
  if (way == 'deadlock') call mpi_recv(came, n, MPI_INTEGER, before, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
  if (way == 'copy' .and. rank > 0) call mpi_barrier(MPI_COMM_WORLD, code)
  call mpi_comm_dup(MPI_COMM_WORLD, copy, code)
  call mpi_file_open(copy, '/dev/null', MPI_MODE_RDONLY, MPI_INFO_NULL, file, code)
  call expect(code == MPI_SUCCESS, 'a file that is opened')
  call mpi_file_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, code)
  call mpi_file_read_all(file, came, 1, MPI_INTEGER, status, code)
  call expect(code == MPI_SUCCESS, 'a file that is read')
  call mpi_file_close(file, code)
  call mpi_win_create_dynamic(MPI_INFO_NULL, copy, window, code)
  if (way /= 'fence' .or. rank > 0) call mpi_win_fence(0, window, code)
  call mpi_win_free(window, code)
  call expect(code == MPI_SUCCESS, 'a window')
  call mpi_comm_free(copy, code)
  do k = 1, 5
    mine = 10 * rank + k
    came = -1
    if (rank == 0) call mpi_send(mine, n, MPI_INTEGER, after, k, MPI_COMM_WORLD, code)
    call mpi_recv(came, n, MPI_INTEGER, before, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    if (rank > 0) call mpi_ssend(mine, n, MPI_INTEGER, after, k, MPI_COMM_WORLD, code)
    call expect(came(n) == 10 * before + k, 'send')
    came = -1
    call mpi_sendrecv(mine, n, MPI_INTEGER, after, k, came, n, MPI_INTEGER, before, k, MPI_COMM_WORLD, status, code)
    call mpi_get_count(status, MPI_INTEGER, at, code)
    call expect(came(n) == 10 * before + k .and. at == n, 'sendrecv')
    call mpi_sendrecv(mine, n, MPI_INTEGER, MPI_PROC_NULL, k, came, n, MPI_INTEGER, MPI_PROC_NULL, k, MPI_COMM_WORLD, &
                      status, code)
    call mpi_get_count(status, MPI_INTEGER, at, code)
    call expect(at == 0, 'sendrecv with nobody')
    came = mine
    call mpi_sendrecv_replace(came, n, MPI_INTEGER, after, k, before, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    call expect(came(n) == 10 * before + k, 'sendrecv in place')
    came = -1
    call mpi_irecv(came, n, MPI_INTEGER, before, k, MPI_COMM_WORLD, requests(1), code)
    call mpi_isend(mine, n, MPI_INTEGER, after, k, MPI_COMM_WORLD, requests(2), code)
    if (k == 1) then
      call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, code)
    else if (k == 2) then  ! MPICH 4.0.2 counts from 0 in mpi_f08
      call mpi_waitany(2, requests, at, MPI_STATUS_IGNORE, code)
      call mpi_wait(requests(1), MPI_STATUS_IGNORE, code)
      call mpi_wait(requests(2), MPI_STATUS_IGNORE, code)
    else if (k == 3) then
      is_done = .false.
      do while (.not. is_done)
        call mpi_testall(2, requests, is_done, MPI_STATUSES_IGNORE, code)
      end do
    else
      call mpi_wait(requests(1), MPI_STATUS_IGNORE, code)
      call mpi_waitsome(2, requests, at, made, MPI_STATUSES_IGNORE, code)
      call expect(at == 1, 'the request that is left')
    end if
    call expect(requests(1) == MPI_REQUEST_NULL .and. requests(2) == MPI_REQUEST_NULL, 'requests that have ended')
    call expect(came(n) == 10 * before + k, 'isend')
  end do
  if (rank == 0) print '(a)', 'as expected'
  call mpi_finalize(code)
contains
  include 'expect.inc'
  ! Rank 0 looks in loops for what rank 1 sends when rank 0 has gone on, which it does because each loop is named.
  subroutine poll_in_turn()
    integer :: which
#if IS_F08
    type(MPI_Message) :: matched
#else
    integer :: matched
#endif
    call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, code)
    do which = 1, 7
      if (rank == 0) then
        call mpi_irecv(came(1), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, requests(1), code)
        call mpi_irecv(came(2), 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, requests(2), code)
        is_done = .false.
        do while (.not. is_done)
          at = 0
          if (which == 1) call mpi_test(requests(1), is_done, status, code)
          if (which == 2) call mpi_testall(2, requests, is_done, MPI_STATUSES_IGNORE, code)
          if (which == 3) call mpi_testany(2, requests, at, is_done, status, code)
          if (which == 4) call mpi_testsome(2, requests, at, made, MPI_STATUSES_IGNORE, code)
          if (which == 4) is_done = at /= 0
          if (which == 5) call mpi_request_get_status(requests(2), is_done, status, code)
          if (which == 6) call mpi_iprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, is_done, status, code)
          if (which == 7) call mpi_improbe(1, 3, MPI_COMM_WORLD, is_done, matched, status, code)
        end do
        call expect(code /= MPI_SUCCESS, 'a loop that is named')
        call mpi_send(which, 1, MPI_INTEGER, 1, 9, MPI_COMM_WORLD, code)
        call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, code)
        call expect(code == MPI_SUCCESS .and. came(1) == which .and. came(2) == which, 'what came at last')
      else
        code = -1
        do while (code /= MPI_SUCCESS)  ! on a busy machine this wait may be named as well
          call mpi_recv(came, 1, MPI_INTEGER, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        end do
        call mpi_send(came, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, code)
        call mpi_send(came, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, code)
      end if
    end do
  end subroutine poll_in_turn
end program messages
