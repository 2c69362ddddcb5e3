program hello
  use tutti
  implicit none
  type(c_ptr) :: world
  integer :: numbers(3), rank

  if (tutti_world(world) /= TUTTI_OK) then
    print '(a)', tutti_error_text()
    error stop
  end if
  rank = tutti_rank(world)
  numbers = [rank, 10 * rank, 1]
  if (tutti_all_reduce(world, numbers, TUTTI_SUM) /= TUTTI_OK) print '(a)', tutti_error_text()

  if (rank == 0) print '(i0, a, i0, a, i0, a, i0)', tutti_size(world), ' ranks: the sums are ', numbers(1), ', ', &
    numbers(2), ' and ', numbers(3)
  if (tutti_finalize() /= TUTTI_OK) error stop
end program hello
