// An MPI program that knows nothing of tutti, whose ranks call what does not go together. Prints "as expected" on rank
// 0 where it goes on, or what was not.
//
//     mistakes WAY

#include <setjmp.h>

#include "unchanged.h"

static int error_class(int code) {
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  return class;
}

// The root of a broadcast needs nothing of the others, and those who give nothing to a reduction's root neither.
static void roots(void) {
  expect_sum(MPI_COMM_WORLD);
  int in[4] = {rank, rank, rank, rank}, out[4];
  const int root = rank == 1;
  const MPI_Comm first = copy_that_returns("the first copy"), second = copy_that_returns(NULL);
  expect_words(MPI_Bcast(in, 4, MPI_INT, rank, first), "rank 0 called broadcast with root 0; rank 1 with root 1; ");
  expect_words(MPI_Reduce(in, out, 4, MPI_INT, MPI_SUM, root, second), "rank 1 called reduce with root 1; ");
  expect_sum(MPI_COMM_WORLD);
}

// Also where the root alone knows how long the blocks are.
static void rooted(void) {
  expect_sum(MPI_COMM_WORLD);
  enum { most = 64 };
  int in[4 * most] = {0}, out[4 * most], lengths[most], places[most];
  for (int r = 0; r < size; ++r) lengths[r] = r % 3 + 1, places[r] = 4 * r;
  const int root = rank == 1, own = lengths[rank];
  expect_words(MPI_Gather(in, 4, MPI_INT, out, 4, MPI_INT, root, copy_that_returns(NULL)), "called gather with root");
  expect_words(MPI_Scatter(in, 4, MPI_INT, out, 4, MPI_INT, root, copy_that_returns(NULL)), "called scatter with root");
  expect_words(MPI_Gatherv(in, own, MPI_INT, out, lengths, places, MPI_INT, root, copy_that_returns(NULL)),
               "called gather_v with root");
  expect_words(MPI_Scatterv(in, lengths, places, MPI_INT, out, own, MPI_INT, root, copy_that_returns(NULL)),
               "called scatter_v with root");
  expect_sum(MPI_COMM_WORLD);
}

// Bytes are told as such, and the function is the one that was called: some counts of one are all alike.
static void lengths(void) {
  expect_sum(MPI_COMM_WORLD);
  enum { most = 64 };
  int in[2 * most] = {0}, out[2 * most], counts[most];
  for (int r = 0; r < size; ++r) counts[r] = r == 0 && rank == 1 ? 2 : 1;
  expect_words(MPI_Bcast(in, rank == 1 ? 5 : 4, MPI_INT, 0, copy_that_returns(NULL)),
               "rank 1 called broadcast with 20 bytes; ");
  expect_words(MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, copy_that_returns(NULL)),
               "rank 1 called reduce_scatter_v with count ");
  int ones[most], places[most], apart[most];
  for (int r = 0; r < size; ++r) ones[r] = 1, places[r] = r, apart[r] = 2 * r;
  // Also where a rank's counts are all the same.
  expect_words(MPI_Allgatherv(in, 1, MPI_INT, out, counts, apart, MPI_INT, copy_that_returns(NULL)),
               "rank 1 called all_gather_v with count 8 for rank 0; ranks 0, 2 with count 4 for rank 0");
  char words[64];
  snprintf(words, sizeof(words), "the output of rank %d has 24 bytes, but must have 3 blocks of 4", rank);
  expect_words(MPI_Allgather(in, 1, MPI_INT, out, 2, MPI_INT, copy_that_returns(NULL)), words);
  // The root alone knows what it expects.
  const int code =
      MPI_Gatherv(in, rank == 1 ? 2 : 1, MPI_INT, out, ones, places, MPI_INT, 0, copy_that_returns(NULL));
  if (rank == 0) expect_words(code, "rank 1 sends 8 bytes to rank 0, which expects 4");
  expect_words(MPI_Alltoallv(in, counts, places, MPI_INT, out, ones, places, MPI_INT, copy_that_returns(NULL)),
               "rank 1 sends 8 bytes to rank 0, which expects 4");
  expect_sum(MPI_COMM_WORLD);
}

// Operators are told by their names where these tell them apart.
static void named_operators(void) {
  expect_sum(MPI_COMM_WORLD);
  int in = rank, out;
  expect_words(MPI_Allreduce(&in, &out, 1, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, copy_that_returns(NULL)),
               "rank 1 called all_reduce with operator maximum; ranks 0, 2 with operator sum");
}

// A communicator is called what the program calls it when something is wrong.
static void renamed(void) {
  const MPI_Comm copy = copy_that_returns("the copy");
  expect_sums(copy, 5);
  MPI_Comm_set_name(copy, "the renamed one");
  int number = rank;
  expect_words(MPI_Bcast(&number, 1, MPI_INT, rank, copy), "of communicator the renamed one");
}

// Two ranks, each of which is a root, end a call in which nothing comes.
static void both(void) {
  expect_sum(MPI_COMM_WORLD);
  int number = rank;
  MPI_Bcast(&number, 1, MPI_INT, rank, MPI_COMM_WORLD);
}

// Rank 0 waits for the others, and those for rank 0, in the first collective of another communicator.
static void apart(void) {
  const MPI_Comm copy = copy_that_returns("the copy");
  expect_sum(MPI_COMM_WORLD);
  if (rank > 0) sleep(3);
  MPI_Barrier(rank == 0 ? MPI_COMM_WORLD : copy);
}

static void unmet(void) {
  MPI_Comm copy;
  int number;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_name(copy, "the copy");
  expect_sum(MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv(&number, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Barrier(copy);
}

// Nonblocking collectives that MPI carries out all the same, whatever that means. The second wait is MPI's own.
static void expect_begun(MPI_Request request, const char* words) {
  MPI_Request same = request;
  expect_words(MPI_Wait(&same, MPI_STATUS_IGNORE), words);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void begun(void) {
  int in[4] = {rank, rank, rank, rank}, out[4 * 64];
  MPI_Request request;
  const MPI_Comm first = copy_that_returns("the first copy"), second = copy_that_returns(NULL);
  MPI_Ibarrier(first, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Iallreduce(in, out, 4, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, first, &request);
  expect_begun(request,
               "rank 1 began MPI_Iallreduce with 16 bytes and MPI_MAX; ranks 0, 2 began MPI_Iallreduce with 16 bytes "
               "and MPI_SUM (nonblocking collective 2 of communicator the first copy)");
  if (rank == 1)
    MPI_Iallgather(in, 1, MPI_INT, out, 1, MPI_INT, second, &request);
  else
    MPI_Igather(in, 1, MPI_INT, out, 1, MPI_INT, 1, second, &request);
  expect_words(MPI_Wait(&request, MPI_STATUS_IGNORE),
               "rank 1 began MPI_Iallgather with 4 bytes; ranks 0, 2 began MPI_Igather with root 1 and 4 bytes");
}

// Ranks begin alike, however each of them says it, and in whatever order they wait.
static void begun_alike(void) {
  enum { begins = 8, most = 64 };
  int in[2 * most] = {0}, out[begins][2 * most];
  MPI_Request all[begins];
  MPI_Status statuses[begins];
  MPI_Datatype pair;
  MPI_Comm copy;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Ibcast(out[0], rank == 0 ? 1 : 2, rank == 0 ? pair : MPI_INT, 0, copy, &all[0]);
  MPI_Igather(in, 2, MPI_INT, out[1], 1, pair, 1, copy, &all[1]);
  MPI_Iscatter(in, 1, pair, out[2], 2, MPI_INT, 0, copy, &all[2]);
  MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out[3], 1, MPI_INT, copy, &all[3]);
  expect_sum(copy);
  MPI_Ialltoall(in, 2, MPI_INT, out[4], 1, pair, copy, &all[4]);
  MPI_Ireduce(in, out[5], 2, MPI_INT, MPI_MAX, size - 1, copy, &all[5]);
  MPI_Iscan(in, out[6], 1, MPI_INT, MPI_SUM, copy, &all[6]);
  MPI_Ibarrier(copy, &all[7]);
  if (rank == 0) MPI_Waitall(begins, all, statuses);
  for (int k = begins - 1, is_done = 0; rank != 0 && k >= 0; --k, is_done = 0) {
    while (rank == 1 && !is_done) MPI_Test(&all[k], &is_done, MPI_STATUS_IGNORE);
    if (rank > 1) MPI_Wait(&all[k], MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&pair);
  MPI_Comm_free(&copy);
}

// The root has done its part, and frees the communicator, before others begin theirs.
static void begun_and_freed(void) {
  enum { rounds_of_it = 5, late = 100000 };
  int number = rank;
  for (int k = 0; k < rounds_of_it; ++k) {
    MPI_Comm copy;
    MPI_Request request;
    int is_done = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank != 0) usleep(late);
    MPI_Ibcast(&number, 1, MPI_INT, 0, copy, &request);
    while (!is_done) MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
  }
  expect(number == 0, "what the root has");
}

// Rank 1 comes to the first collective of all ranks where the others begin one.
static void begun_first(void) {
  int in = rank, out;
  MPI_Request request;
  if (rank != 1) MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  if (rank != 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Nobody waits for it, and rank 1 has begun none.
static void begun_by_some(void) {
  MPI_Request request;
  if (rank != 1) MPI_Ibarrier(MPI_COMM_WORLD, &request);
}

// Rank 1 is at its end where the others meet.
static void left(void) {
  expect_sum(MPI_COMM_WORLD);
  if (rank != 1) MPI_Barrier(MPI_COMM_WORLD);
}

// All errors are of one class, and their codes come again.
static void codes(void) {
  enum { errors = 40, most_codes = 16 };
  int numbers[2 * errors + 4] = {0}, seen[errors], distinct = 0, class = MPI_SUCCESS;
  for (int k = 0; k < errors; ++k) {
    MPI_Comm copy = copy_that_returns(NULL);
    expect_sums(copy, 5);
    const int count = k + 1 + (rank == 0);
    const int code = MPI_Allreduce(numbers, numbers + errors + 2, count, MPI_INT, MPI_SUM, copy);
    char words[64];
    snprintf(words, sizeof(words), "rank 0 called all_reduce with count %d; ", k + 2);
    expect_words(code, words);
    expect(MPI_Allreduce(numbers, numbers + errors + 2, count, MPI_INT, MPI_SUM, copy) == code, "the same code");
    if (k == 0) class = error_class(code);
    expect(error_class(code) == class, "the same class");
    int at = 0;
    while (at < distinct && seen[at] != code) ++at;
    if (at == distinct) seen[distinct++] = code;
  }
  expect(distinct <= most_codes, "codes that come again");
}

// Error handlers that do not return, or that call collectives, as rank 0 does once its own has returned.
static jmp_buf before;
static void jump(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  longjmp(before, 1);
}

static void call(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  if (rank > 0) expect_sums(MPI_COMM_WORLD, 3);
}

static void make_mistake(MPI_Comm comm) {
  int numbers[64] = {0}, sums[64];
  if (setjmp(before) == 0) MPI_Allreduce(numbers, sums, rank + 1, MPI_INT, MPI_SUM, comm);
}

static void make_mistakes(MPI_Comm_errhandler_function* handler) {
  for (int k = 0; k < 3; ++k) {
    const MPI_Comm copy = copy_that_returns(NULL);
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(copy, own);
    expect_sums(copy, 5);
    make_mistake(copy);
    if (rank == 0 && handler == call) expect_sums(MPI_COMM_WORLD, 3);
    // Served with those who call the same from elsewhere.
    expect_sums(MPI_COMM_WORLD, 3);
  }
}

// Rank 0 jumps out of MPI's own function, too, and calls on from another depth of its stack than before.
static void call_from(int depth) {
  volatile char frame[512];
  frame[0] = (char)depth;
  if (depth > 0) call_from(depth - 1);
  else expect_sums(MPI_COMM_WORLD, 3);
  frame[1] = frame[0];
}

static void leaps(void) {
  MPI_Errhandler own;
  MPI_Comm_create_errhandler(jump, &own);
  int numbers[4] = {0};
  for (int depth = 0; depth < 40; depth += 3) {
    MPI_Comm copy = copy_that_returns(NULL);
    MPI_Comm_set_errhandler(copy, own);
    if (rank == 0 && setjmp(before) == 0) MPI_Bcast(numbers, -1, MPI_INT, 0, copy);
    call_from(depth);
    MPI_Comm_free(&copy);
  }
}

static void jumps(void) { make_mistakes(jump); }
static void calls(void) { make_mistakes(call); }

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  static const struct Way ways[] = {
      {"roots", roots}, {"both", both}, {"rooted", rooted}, {"lengths", lengths},
      {"named_operators", named_operators}, {"renamed", renamed}, {"apart", apart}, {"unmet", unmet},
      {"begun", begun}, {"begun_alike", begun_alike}, {"begun_and_freed", begun_and_freed},
      {"begun_first", begun_first}, {"begun_by_some", begun_by_some},
      {"left", left}, {"codes", codes}, {"jumps", jumps}, {"calls", calls}, {"leaps", leaps}, {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
