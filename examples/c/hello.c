#include <stdio.h>
#include <tutti/tutti.h>

int main(void) {
  tutti_communicator world;
  if (tutti_world(&world) != TUTTI_OK) {
    fprintf(stderr, "%s\n", tutti_last_error());
    return 1;
  }
  const int rank = tutti_rank(world);
  int numbers[] = {rank, 10 * rank, 1};
  tutti_all_reduce(world, numbers, numbers, 3, TUTTI_INT32, TUTTI_SUM);  // in place: input and output are one

  if (rank == 0) {
    printf("%d ranks: the sums are %d, %d and %d\n", tutti_size(world), numbers[0], numbers[1], numbers[2]);
  }
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
