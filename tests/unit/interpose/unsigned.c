// An MPI program that knows nothing of tutti, and combines integers near the ends of their types, unsigned ones above
// all, in every call that does so. Prints "as expected" on rank 0, or what was not.
//
//     unsigned [SEED]

#include <stdint.h>

#include "unchanged.h"
#ifdef OPEN_MPI
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

enum { most = 300, operators = 3, bytes = 8 };

static const MPI_Op op_of[operators] = {MPI_MIN, MPI_MAX, MPI_SUM};

struct Kind {
  const char* name;
  MPI_Datatype type;
  int size, is_signed;
};

static uint64_t state;
static uint64_t drawn(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

static const struct Kind* kind;
static int which;

static uint64_t read_at(const unsigned char* data, int k) {
  uint64_t bits = 0;
  memcpy(&bits, data + k * kind->size, kind->size);
  return bits;
}
// Returns the combination of both numbers, in as many bits as the type has.
static uint64_t combined(uint64_t a, uint64_t b) {
  const int shift = 64 - 8 * kind->size;
  if (which == 2) return (a + b) << shift >> shift;
  const int is_less = kind->is_signed ? (int64_t)(a << shift) < (int64_t)(b << shift) : a < b;
  return is_less == (which == 0) ? a : b;
}

static unsigned char all[16][most * bytes], got[most * bytes], expected[most * bytes];

// Draws the numbers that ranks give in the call, alike on all ranks.
static void draw_all(int n) {
  for (int r = 0; r < 16; ++r) {
    for (int k = 0; k < n; ++k) {
      uint64_t bits = drawn();
      if (bits % 3 == 0) bits = ~UINT64_C(0) - (bits >> 60);
      if (bits % 3 == 1) bits >>= 60;
      memcpy(all[r] + k * kind->size, &bits, kind->size);
    }
  }
}
static void fold_all(int from, int to, int n) {
  memcpy(expected, all[from], sizeof(expected));
  for (int r = from + 1; r < to; ++r) {
    for (int k = 0; k < n; ++k) {
      const uint64_t bits = combined(read_at(expected, k), read_at(all[r], k));
      memcpy(expected + k * kind->size, &bits, kind->size);
    }
  }
}
static void expect_folded(int from, int to, int first, int n, const char* call) {
  fold_all(from, to, first + n);
  char text[200];
  snprintf(text, sizeof(text), "%s, %s, operator %d, %d elements", call, kind->name, which, n);
  expect(memcmp(got, expected + first * kind->size, n * kind->size) == 0, text);
}

static void wait_for(MPI_Request* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

// Each rank has a block of n elements in what is scattered.
static void scatter_folded(MPI_Comm comm, int n) {
  const MPI_Op op = op_of[which];
  MPI_Request request;
  int counts[16];
  for (int r = 0; r < size; ++r) counts[r] = n;
  draw_all(n * size);
  MPI_Reduce_scatter_block(all[rank], got, n, kind->type, op, comm);
  expect_folded(0, size, n * rank, n, "MPI_Reduce_scatter_block");
  MPI_Reduce_scatter(all[rank], got, counts, kind->type, op, comm);
  expect_folded(0, size, n * rank, n, "MPI_Reduce_scatter");
  MPI_Ireduce_scatter_block(all[rank], got, n, kind->type, op, comm, &request), wait_for(&request);
  expect_folded(0, size, n * rank, n, "MPI_Ireduce_scatter_block");
  MPI_Ireduce_scatter(all[rank], got, counts, kind->type, op, comm, &request), wait_for(&request);
  expect_folded(0, size, n * rank, n, "MPI_Ireduce_scatter");
}

static void combine_on(MPI_Comm comm, int n) {
  const MPI_Op op = op_of[which];
  MPI_Request request;
  draw_all(n);
  MPI_Allreduce(all[rank], got, n, kind->type, op, comm);
  expect_folded(0, size, 0, n, "MPI_Allreduce");
  for (int root = 0; root < size; ++root) {
    MPI_Reduce(all[rank], got, n, kind->type, op, root, comm);
    if (rank == root) expect_folded(0, size, 0, n, "MPI_Reduce");
  }
  MPI_Scan(all[rank], got, n, kind->type, op, comm);
  expect_folded(0, rank + 1, 0, n, "MPI_Scan");
  MPI_Exscan(all[rank], got, n, kind->type, op, comm);
  if (rank > 0) expect_folded(0, rank, 0, n, "MPI_Exscan");
  MPI_Iallreduce(all[rank], got, n, kind->type, op, comm, &request), wait_for(&request);
  expect_folded(0, size, 0, n, "MPI_Iallreduce");
  MPI_Ireduce(all[rank], got, n, kind->type, op, size - 1, comm, &request), wait_for(&request);
  if (rank == size - 1) expect_folded(0, size, 0, n, "MPI_Ireduce");
  MPI_Iscan(all[rank], got, n, kind->type, op, comm, &request), wait_for(&request);
  expect_folded(0, rank + 1, 0, n, "MPI_Iscan");
  MPI_Iexscan(all[rank], got, n, kind->type, op, comm, &request), wait_for(&request);
  if (rank > 0) expect_folded(0, rank, 0, n, "MPI_Iexscan");
  memcpy(got, all[1], sizeof(got));
  MPI_Reduce_local(all[0], got, n, kind->type, op);
  expect_folded(0, 2, 0, n, "MPI_Reduce_local");
  scatter_folded(comm, n / size < 1 ? 1 : n / size);
  draw_all(n);
  MPI_Allreduce_init(all[rank], got, n, kind->type, op, comm, MPI_INFO_NULL, &request);
  MPI_Start(&request), wait_for(&request), MPI_Request_free(&request);
  expect_folded(0, size, 0, n, "MPI_Allreduce_init");
#if MPI_VERSION >= 4
  MPI_Iallreduce_c(all[rank], got, n, kind->type, op, comm, &request), wait_for(&request);
  expect_folded(0, size, 0, n, "MPI_Iallreduce_c");
#endif
}

// Each group gets what the other one gives.
static void combine_between(MPI_Comm between, int low, int n) {
  const int is_low = rank < low;
  MPI_Request request;
  draw_all(n);
  MPI_Allreduce(all[rank], got, n, kind->type, op_of[which], between);
  expect_folded(is_low ? low : 0, is_low ? size : low, 0, n, "MPI_Allreduce between groups");
  MPI_Iallreduce(all[rank], got, n, kind->type, op_of[which], between, &request), wait_for(&request);
  expect_folded(is_low ? low : 0, is_low ? size : low, 0, n, "MPI_Iallreduce between groups");
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  const struct Kind kinds[] = {{"MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR, 1, 0},
                               {"MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, sizeof(short), 0},
                               {"MPI_UNSIGNED", MPI_UNSIGNED, sizeof(int), 0},
                               {"MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG, sizeof(long), 0},
                               {"MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG, sizeof(long long), 0},
                               {"MPI_UINT8_T", MPI_UINT8_T, 1, 0},
                               {"MPI_UINT16_T", MPI_UINT16_T, 2, 0},
                               {"MPI_UINT32_T", MPI_UINT32_T, 4, 0},
                               {"MPI_UINT64_T", MPI_UINT64_T, 8, 0},
                               {"MPI_SHORT", MPI_SHORT, sizeof(short), 1},
                               {"MPI_LONG", MPI_LONG, sizeof(long), 1},
                               {"MPI_OFFSET", MPI_OFFSET, sizeof(MPI_Offset), 1}};
  const int lengths[] = {1, 7, most};
  const int low = (size + 1) / 2;
  state = argc > 1 ? strtoull(argv[1], NULL, 0) : 88172645463325252;
  if (rank == 0) printf("seed %llu\n", (unsigned long long)state);
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank < low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < low ? low : 0, 5, &between);
  for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); ++k) {
    kind = &kinds[k];
    MPI_Comm fresh;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    for (which = 0; which < operators; ++which) {
      for (int at = 0; at < 3; ++at) {
        combine_on(at == 0 ? fresh : MPI_COMM_WORLD, lengths[at]);
        combine_between(between, low, lengths[at]);
      }
    }
    MPI_Comm_free(&fresh);
  }
  MPI_Finalize();
  say_as_expected();
  return 0;
}
