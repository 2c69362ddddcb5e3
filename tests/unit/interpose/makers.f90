! A program of Fortran that knows nothing of tutti, for both of MPI's modules (MODULE is one of them), whose ranks make
! graphs, windows and files together, and call what all ranks of one call. Prints "as expected" on rank 0, or what was
! not.
!
!     makers FILE
program makers
  use MODULE
  use iso_c_binding, only: c_ptr
  implicit none
  integer, parameter :: most = 8, word = 4
  integer :: code, rank, ranks, k, mine(most), all(most), ones(most), places(most), ring(2), ends(most), edges(2 * most)
  integer(MPI_OFFSET_KIND) :: start
  integer(MPI_ADDRESS_KIND) :: bytes, apart(2)
#if IS_F08
  type(MPI_Comm) :: graph, half, joined
  type(MPI_Group) :: group
  type(MPI_Win) :: window
  type(MPI_File) :: file
  type(MPI_Status) :: status
  type(MPI_Datatype) :: types(most)
  type(c_ptr) :: base
#else
  integer :: graph, half, joined, window, file, status(MPI_STATUS_SIZE), types(most), group
  integer(MPI_ADDRESS_KIND) :: base
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
  call mpi_comm_size(MPI_COMM_WORLD, ranks, code)
  ones = 1
  types = MPI_INTEGER
  ring = [modulo(rank - 1, ranks), modulo(rank + 1, ranks)]
  do k = 1, ranks
    ends(k) = 2 * k
    edges(2 * k - 1:2 * k) = [modulo(k - 2, ranks), modulo(k, ranks)]
    places(k) = k - 1
  end do
  do k = 1, 3
    call mpi_graph_create(MPI_COMM_WORLD, ranks, ends, edges, .false., graph, code)
    call use_neighbors()
    call mpi_comm_free(graph, code)
#if IS_MPICH
    ! Open MPI 4.1.4 may hang in it.
    call mpi_dist_graph_create(MPI_COMM_WORLD, 1, [rank], [2], ring, ones, MPI_INFO_NULL, .false., graph, code)
    call mpi_barrier(graph, code)
    call mpi_comm_free(graph, code)
#endif
    call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 2, ring, ones, 2, ring, ones, MPI_INFO_NULL, .false., graph, &
                                        code)
    call use_neighbors()
    ! MPICH 4.0.2 serves other graphs than these in no mpi_f08 program.
    call mpi_neighbor_alltoallw(mine, ones, apart, types, all, ones, apart, types, graph, code)
    call expect_ring()
    call mpi_comm_free(graph, code)
    call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 2, ring, MPI_UNWEIGHTED, 2, ring, MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., graph, code)
    call use_neighbors()
    call mpi_comm_free(graph, code)
    call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 0, ring, MPI_WEIGHTS_EMPTY, 0, ring, MPI_WEIGHTS_EMPTY, &
                                        MPI_INFO_NULL, .false., graph, code)
    call mpi_comm_free(graph, code)
    if (ranks > 1) call join_halves()
    mine = 100 * rank
    all = -1
    call mpi_alltoallw(mine, ones, places * word, types, all, ones, places * word, types, MPI_COMM_WORLD, code)
    call expect(all(ranks) == 100 * (ranks - 1), 'what all have sent')
    bytes = most * word
    call mpi_win_create(all, bytes, word, MPI_INFO_NULL, MPI_COMM_WORLD, window, code)
    call use_window()
    call mpi_win_allocate(bytes, word, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, code)
    call use_window()
    call mpi_win_allocate_shared(bytes, word, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, code)
    call use_window()
    call use_file()
  end do
  if (rank == 0) print '(a)', 'as expected'
  call mpi_finalize(code)
contains
  include 'expect.inc'
  subroutine expect_ring()
    call expect(all(1) == ring(1) .and. all(2) == ring(2), 'what the neighbors have sent')
    all = -1
  end subroutine expect_ring
  ! Of the even and of the odd ranks.
  subroutine join_halves()
    call mpi_comm_split(MPI_COMM_WORLD, modulo(rank, 2), rank, half, code)
    call mpi_intercomm_create(half, 0, MPI_COMM_WORLD, 1 - modulo(rank, 2), 5, joined, code)
    call mpi_barrier(joined, code)
    call expect(code == MPI_SUCCESS, 'two groups that are joined')
    call mpi_comm_free(joined, code)
    call mpi_comm_free(half, code)
  end subroutine join_halves
  subroutine use_neighbors()
    mine = rank
    all = -1
    apart = [0, word]
    call mpi_neighbor_allgather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, graph, code)
    call expect_ring()
    call mpi_neighbor_allgatherv(mine, 1, MPI_INTEGER, all, ones, places, MPI_INTEGER, graph, code)
    call expect_ring()
    call mpi_neighbor_alltoall(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, graph, code)
    call expect_ring()
    call mpi_neighbor_alltoallv(mine, ones, places, MPI_INTEGER, all, ones, places, MPI_INTEGER, graph, code)
    call expect_ring()
  end subroutine use_neighbors
  subroutine use_window()
    call expect(code == MPI_SUCCESS, 'a window')
    call use_targets()
    call mpi_win_fence(0, window, code)
    call mpi_win_fence(0, window, code)
    call mpi_win_free(window, code)
    call expect(code == MPI_SUCCESS, 'the end of a window')
  end subroutine use_window
  subroutine use_targets()
    integer :: codes(13)
    codes = -1
    call mpi_win_lock(MPI_LOCK_SHARED, ring(2), 0, window, codes(1))
    call mpi_win_flush_local(ring(2), window, codes(2))
    call mpi_win_flush(ring(2), window, codes(3))
    call mpi_win_unlock(ring(2), window, codes(4))
    call mpi_win_lock_all(0, window, codes(5))
    call mpi_win_flush_local_all(window, codes(6))
    call mpi_win_flush_all(window, codes(7))
    call mpi_win_unlock_all(window, codes(8))
    call mpi_barrier(MPI_COMM_WORLD, codes(9))
    call mpi_comm_group(MPI_COMM_WORLD, group, code)
    call mpi_win_post(group, 0, window, codes(10))
    call mpi_win_start(group, 0, window, codes(11))
    call mpi_win_complete(window, codes(12))
    call mpi_win_wait(window, codes(13))
    call mpi_group_free(group, code)
    call expect(count(codes == MPI_SUCCESS) == size(codes), 'what is called of the ranks of a window')
  end subroutine use_targets
  subroutine use_file()
    character(100) :: name
    integer :: came
    if (rank == 0) call get_command_argument(1, name)
    call mpi_bcast(name, len(name), MPI_CHARACTER, 0, MPI_COMM_WORLD, code)
    call mpi_file_open(MPI_COMM_WORLD, trim(name), MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                       MPI_INFO_NULL, file, code)
    call expect(code == MPI_SUCCESS, 'a file')
    start = rank * word
    call mpi_file_set_size(file, 0_MPI_OFFSET_KIND, code)
    call mpi_file_set_atomicity(file, .true., code)
    call mpi_file_set_view(file, start, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, code)
    call mpi_file_write_all(file, rank, 1, MPI_INTEGER, status, code)
    call mpi_file_sync(file, code)
    call mpi_file_read_at_all(file, 0_MPI_OFFSET_KIND, came, 1, MPI_INTEGER, status, code)
    call expect(came == rank, 'what was written')
    call mpi_file_write_at_all(file, 0_MPI_OFFSET_KIND, ranks, 1, MPI_INTEGER, MPI_STATUS_IGNORE, code)
    call mpi_file_seek(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET, code)
    call mpi_file_read_all(file, came, 1, MPI_INTEGER, MPI_STATUS_IGNORE, code)
    call expect(came == ranks, 'what was written there')
    call mpi_file_write_at_all_begin(file, 0_MPI_OFFSET_KIND, rank, 1, MPI_INTEGER, code)
    call mpi_file_write_at_all_end(file, rank, MPI_STATUS_IGNORE, code)
    call mpi_file_read_at_all_begin(file, 0_MPI_OFFSET_KIND, came, 1, MPI_INTEGER, code)
    call mpi_file_read_at_all_end(file, came, status, code)
    call expect(came == rank, 'what was written in two parts')
    call mpi_file_close(file, code)
    call expect(code == MPI_SUCCESS, 'the end of a file')
  end subroutine use_file
end program makers
