// Alone, under `tutti run -n 4`, and under `mpirun -n 4`: the same program.
#include <stdio.h>
#include <tutti/tutti.h>

enum { n = 1000 };

// Ends this rank by the sentence of what went wrong; the others end by it, too.
static int fail(void) {
  fprintf(stderr, "%s\n", tutti_last_error());
  tutti_abandon(NULL, tutti_last_error());
  return 1;
}

// A line of the program's own type: x -> scale * x + offset.
typedef struct {
  double scale, offset;
} line;

// First left, then right: associative, but not commutative.
static void then(void* result, const void* left, const void* right, int64_t count, void* state) {
  (void)state;
  for (int64_t i = 0; i < count; ++i) {
    const line a = ((const line*)left)[i], b = ((const line*)right)[i];
    ((line*)result)[i] = (line){b.scale * a.scale, b.scale * a.offset + b.offset};
  }
}

int main(void) {
  tutti_communicator world;
  if (tutti_world(&world) != TUTTI_OK) return fail();
  const int rank = tutti_rank(world), size = tutti_size(world);

  // Blocking, in place.
  double sums[n];
  for (int i = 0; i < n; ++i) sums[i] = rank + 1;
  if (tutti_all_reduce(world, sums, sums, n, TUTTI_DOUBLE, TUTTI_SUM) != TUTTI_OK) return fail();

  // Asynchronous: a message around the ring, while the rank computes.
  const int32_t mine = rank;
  int32_t before = -1;
  tutti_handle receiving, sending;
  if (tutti_receive_start(world, &before, 1, TUTTI_INT32, (rank + size - 1) % size, 7, &receiving) != TUTTI_OK ||
      tutti_send_start(world, &mine, 1, TUTTI_INT32, (rank + 1) % size, 7, &sending) != TUTTI_OK)
    return fail();
  double own = 0;
  for (int i = 0; i < n; ++i) own += sums[i];
  if (tutti_wait(&receiving, NULL) != TUTTI_OK || tutti_wait(&sending, NULL) != TUTTI_OK) return fail();

  // Planned: prepared once, run often, by an operator of the program's own.
  line step = {2, rank}, composed = {1, 0};
  const tutti_user_operator op = {.combine = then, .name = "then"};
  tutti_call_arguments compose = tutti_arguments_of(TUTTI_ALL_REDUCE, &step, &composed, 1, TUTTI_BYTES(sizeof(line)));
  compose.op = TUTTI_USER;
  compose.user_operator = &op;
  tutti_plan plan;
  if (tutti_plan_create(world, &compose, &plan) != TUTTI_OK) return fail();
  for (int run = 0; run < 3; ++run) {
    if (tutti_plan_start(plan) != TUTTI_OK || tutti_plan_wait(plan) != TUTTI_OK) return fail();
  }
  tutti_plan_free(&plan);

  // Bad input is a status and a sentence, before anything is sent.
  const tutti_status status = tutti_all_reduce(world, sums, sums, -1, TUTTI_DOUBLE, TUTTI_SUM);
  if (status != TUTTI_INVALID_ARGUMENT) return fail();

  double scale = 1, offset = 0;
  for (int r = 0; r < size; ++r) {
    scale *= 2;
    offset = 2 * offset + r;
  }
  const double sum = size * (size + 1) / 2.0;
  const uint8_t right =
      own == n * sum && before == (rank + size - 1) % size && composed.scale == scale && composed.offset == offset;
  uint8_t all_right;
  if (tutti_all_reduce(world, &right, &all_right, 1, TUTTI_BOOL, TUTTI_LOGICAL_AND) != TUTTI_OK) return fail();
  if (rank == 0) {
    printf("%d ranks: the sum is %g, and all are right: %s\n", size, sum, all_right ? "yes" : "no");
    printf("a negative count: %s: %s\n", tutti_status_name(status), tutti_last_error());
  }
  return tutti_finalize() == TUTTI_OK && all_right ? 0 : 1;
}
