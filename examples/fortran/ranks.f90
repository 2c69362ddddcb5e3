! Alone, under `tutti run -n 4`, and under `mpirun -n 4`: the same program.
program ranks
  use tutti
  implicit none
  type(c_ptr) :: world, plan
  integer(c_int32_t) :: rank, size, status, before
  integer(c_int64_t) :: right
  real(8) :: sums(10, 20), scale
  real(8), target :: blocks(2)
  real(8), target, allocatable :: all(:)
  type(tutti_call_arguments) :: gather

  call check(tutti_world(world))
  rank = tutti_rank(world)
  size = tutti_size(world)

  ! Arrays of any rank, in place.
  sums = rank + 1
  call check(tutti_all_reduce(world, sums, TUTTI_SUM))
  scale = merge(0.5d0, 0d0, rank == size - 1)
  call check(tutti_broadcast(world, scale, root=size - 1))

  ! Messages with tags: around the ring, one rank after the other.
  before = rank
  if (size > 1) then
    if (rank > 0) call check(tutti_receive(world, before, from=rank - 1, tag=7))
    if (rank < size - 1) call check(tutti_send(world, rank, to=rank + 1, tag=7))
    if (rank == 0) before = -1
  else
    before = -1
  end if

  ! Planned: prepared once, run often.
  allocate (all(2 * size))
  blocks = [rank, 2 * rank]
  gather = tutti_arguments_of(TUTTI_COLLECTIVE_ALL_GATHER, c_loc(blocks), c_loc(all), 2_c_int64_t, TUTTI_DOUBLE)
  call check(tutti_plan_create(world, gather, plan))
  call check(tutti_plan_start(plan))
  call check(tutti_plan_wait(plan))
  call check(tutti_plan_free(plan))

  ! Bad input is a status and a sentence, before anything is sent.
  status = tutti_broadcast(world, scale, root=size)
  if (status /= TUTTI_INVALID_ARGUMENT) error stop 'a root beyond the ranks was taken'

  right = merge(1, 0, sums(10, 20) == size * (size + 1) / 2 .and. scale == 0.5d0 .and. before == rank - 1 &
                .and. all(2 * size) == 2 * (size - 1))
  call check(tutti_all_reduce(world, right, TUTTI_MINIMUM))
  if (rank == 0) then
    print '(i0, a, i0, a, a)', size, ' ranks: the sum is ', nint(sums(1, 1)), ', and all are right: ', &
      merge('yes', 'no ', right == 1)
    print '(a, a)', 'a root beyond the ranks: ', tutti_error_text()
  end if
  call check(tutti_finalize())
  if (right /= 1) error stop 1

contains

  ! Ends this rank by the sentence of what went wrong; the others end by it, too.
  subroutine check(outcome)
    integer(c_int32_t), intent(in) :: outcome
    integer(c_int32_t) :: told
    if (outcome == TUTTI_OK) return
    told = tutti_abandon(c_null_ptr, tutti_error_text())
    error stop 'this rank has failed'
  end subroutine check
end program ranks
