! A program of Fortran that knows nothing of tutti, whose own functions are called when communicators go, and refuse
! it or call collectives; for both of MPI's modules (MODULE is one of them). Prints "as expected" on rank 0, or what
! was not.
module when_they_go
  use MODULE
  implicit none
  integer :: refusals = 0, calls = 0
  COMMUNICATOR :: going  ! Open MPI 4.1.4 hands another one to these functions
contains
  subroutine refuse(comm, key, value, extra, code)
    COMMUNICATOR :: comm
    integer :: key, code
    integer(MPI_ADDRESS_KIND) :: value, extra
    calls = calls + 1
    code = MPI_SUCCESS
    if (refusals > 0) code = MPI_ERR_OTHER
    refusals = refusals - 1
  end subroutine refuse
  subroutine work(comm, key, value, extra, code)
    COMMUNICATOR :: comm
    integer :: key, code
    integer(MPI_ADDRESS_KIND) :: value, extra
    calls = calls + 1
    call use_often(going, 5)
    code = MPI_SUCCESS
  end subroutine work
  subroutine use_often(comm, times)
    COMMUNICATOR :: comm
    integer, intent(in) :: times
    integer :: rank, ranks, k, total, code
    call mpi_comm_rank(comm, rank, code)
    call mpi_comm_size(comm, ranks, code)
    do k = 1, times
      call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm, code)
      call expect(total == ranks * (ranks - 1) / 2, 'sum of ranks')
    end do
  end subroutine use_often
  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    integer :: code
    if (is_so) return
    print '(2a)', 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 3, code)
  end subroutine expect
  ! By mpi_comm_free or mpi_comm_disconnect, of a communicator that has seen so many collectives.
  subroutine let_go(key, times, disconnects, code)
    integer, intent(in) :: key, times
    logical, intent(in) :: disconnects
    integer, intent(out) :: code
    COMMUNICATOR :: copy
    integer(MPI_ADDRESS_KIND) :: value = 0
    call mpi_comm_dup(MPI_COMM_WORLD, copy, code)
    call mpi_comm_set_errhandler(copy, MPI_ERRORS_RETURN, code)
    call use_often(copy, times)
    call mpi_comm_set_attr(copy, key, value, code)
    going = copy
    if (disconnects) then
      call mpi_comm_disconnect(copy, code)
    else
      call mpi_comm_free(copy, code)
    end if
  end subroutine let_go
end module when_they_go

program freeing
  use when_they_go
  implicit none
  integer :: refusing, working, code, rank, class(2), k, round, ignored
  integer(MPI_ADDRESS_KIND) :: extra = 0
  call mpi_init(code)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, code)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, code)
  call mpi_comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, refusing, extra, code)
  call mpi_comm_create_keyval(MPI_COMM_NULL_COPY_FN, work, working, extra, code)
  do round = 1, 2
    do k = 1, 2
      refusals = 1
      call let_go(refusing, 5 * (k - 1), round == 2, code)
      call mpi_error_class(code, class(k), ignored)
    end do
    ! Open MPI disconnects whatever they say.
    call expect(class(1) == class(2) .and. (round == 2 .or. class(1) /= MPI_SUCCESS), 'what is refused')
    call let_go(working, 5, round == 2, code)
    call expect(code == MPI_SUCCESS, 'what is not refused')
    call let_go(working, 1, round == 2, code)
  end do
  call use_often(MPI_COMM_WORLD, 5)
  call expect(calls >= 8, 'the calls of its own functions')
  if (rank == 0) print '(a)', 'as expected'
  call mpi_finalize(code)
end program freeing
