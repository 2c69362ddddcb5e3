// An MPI program that knows nothing of tutti: makes every collective that is taken over in many shapes, and compares
// what comes out with what messages and loops of its own say. Prints "as expected" on rank 0, or what was not.
//
//     conforming SEED ROUNDS

#include "unchanged.h"

static unsigned long long state;
static const char *what = "nothing";

static unsigned next_number(unsigned below) {  // one sequence on all ranks
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state >> 33) % below;
}

static void fail(const char *why, long at) {
  printf("rank %d of %d: %s: %s at %ld\n", rank, size, what, why, at);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

// Returns the number that rank `from` contributes at place `k`, meant for `to`.
static int value_of(int from, int to, long k) { return (from * 7919 + to * 104729 + (int)k * 31) % 100003; }

enum { guard = -77 };

static int *numbers(long n) {
  int *const all = malloc((size_t)(n + 2) * sizeof(int));
  for (long k = 0; k < n + 2; ++k) all[k] = guard;
  return all;
}

// Element k of a buffer whose elements are `stride` apart begins at k * stride.
static void expect_value(const int *data, long k, int value) {
  if (data[k] != value) {
    printf("%d instead of %d; ", data[k], value);
    fail("a wrong value", k);
  }
}

static void expect_guard(const int *data, long k) {
  if (data[k] != guard) fail("a value that nobody was to write", k);
}

// A type of one int: as it is, as a row of one, or with a hole after it. Ranks choose different ones.
static MPI_Datatype row, spaced;
static void choose_type(MPI_Datatype *type, int *stride, int which) {
  *type = which == 0 ? MPI_INT : which == 1 ? row : spaced;
  *stride = which == 2 ? 2 : 1;
}

// Fills in the length of each rank's block and its place; returns the end of all. Uneven blocks lie in the order of ranks from
// the last one on, with a hole after each.
static long lay_out(int *counts, int *places, long n, int uneven, int first, int step) {
  long end = 0;
  for (int r = size - 1; r >= 0; --r) {
    counts[r] = uneven ? (int)((n + first + r * step) % (n + 2)) : (int)n;
    places[r] = uneven ? (int)end : (int)(r * n);
    end += counts[r] + uneven;
  }
  return end;
}

static void combine(void *left, void *right, int *n, MPI_Datatype *type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(*type, &lower, &extent);
  for (int k = 0; k < *n; ++k) {
    const int *const a = (const int *)((char *)left + k * extent);
    int *const b = (int *)((char *)right + k * extent);
    // Affine maps x -> a x + b, as pairs in one number: composing them does not commute.
    const unsigned a1 = (unsigned)*a & 0xffff, b1 = (unsigned)*a >> 16, a2 = (unsigned)*b & 0xffff,
                   b2 = (unsigned)*b >> 16;
    *b = (int)(((a1 * a2) & 0xffff) | (((b1 * a2 + b2) & 0xffff) << 16));
  }
}

static int composed(int x, int y) {
  int right = y, n = 1;
  MPI_Datatype type = MPI_INT;
  combine(&x, &right, &n, &type);
  return right;
}

static void try_broadcast(MPI_Comm comm, int root, long n) {
  int stride;
  MPI_Datatype type;
  choose_type(&type, &stride, (rank + (int)n) % 3);
  int *const data = numbers(n * stride);
  if (rank == root)
    for (long k = 0; k < n; ++k) data[k * stride] = value_of(root, 0, k);
  MPI_Bcast(data, (int)n, type, root, comm);
  for (long k = 0; k < n; ++k) {
    expect_value(data, k * stride, value_of(root, 0, k));
    if (stride == 2 && rank != root) expect_guard(data, k * stride + 1);
  }
  expect_guard(data, n * stride);
  free(data);
}

static void try_gather(MPI_Comm comm, int root, long n, int in_place, int to_all) {
  int stride, sent_stride;
  MPI_Datatype type, sent;
  choose_type(&type, &stride, (rank + root) % 3);
  choose_type(&sent, &sent_stride, (rank + (int)n) % 3);
  const int at_root = to_all || rank == root;
  int *const all = numbers(at_root ? n * stride * size : 0);
  int *const mine = numbers(n * sent_stride);
  const int places_itself = in_place && at_root;
  for (long k = 0; k < n; ++k) {
    mine[k * sent_stride] = value_of(rank, 0, k);
    if (places_itself) all[(rank * n + k) * stride] = value_of(rank, 0, k);
  }
  const void *const send = places_itself ? MPI_IN_PLACE : mine;
  if (to_all)
    MPI_Allgather(send, (int)n, sent, all, (int)n, type, comm);
  else
    MPI_Gather(send, (int)n, sent, all, (int)n, type, root, comm);
  for (long k = 0; at_root && k < n * size; ++k) {
    expect_value(all, k * stride, value_of((int)(k / n), 0, k % n));
    if (stride == 2) expect_guard(all, k * stride + 1);
  }
  expect_guard(all, at_root ? n * stride * size : 0);
  free(all);
  free(mine);
}

static void try_gather_v(MPI_Comm comm, int root, long n, int in_place, int to_all) {
  int stride, sent_stride;
  MPI_Datatype type, sent;
  choose_type(&type, &stride, (rank + root) % 3);
  choose_type(&sent, &sent_stride, (rank + (int)n) % 3);
  int *const counts = malloc(2 * (size_t)size * sizeof(int)), *const places = counts + size;
  const long total = lay_out(counts, places, n, 1, 0, 3);
  const int at_root = to_all || rank == root;
  const int places_itself = in_place && at_root;
  int *const all = numbers(at_root ? total * stride : 0);
  int *const mine = numbers(counts[rank] * sent_stride);
  for (long k = 0; k < counts[rank]; ++k) {
    mine[k * sent_stride] = value_of(rank, 0, k);
    if (places_itself) all[(places[rank] + k) * stride] = value_of(rank, 0, k);
  }
  const void *const send = places_itself ? MPI_IN_PLACE : mine;
  if (to_all)
    MPI_Allgatherv(send, counts[rank], sent, all, counts, places, type, comm);
  else if (rank == root)
    MPI_Gatherv(send, counts[rank], sent, all, counts, places, type, root, comm);
  else
    MPI_Gatherv(send, counts[rank], sent, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, comm);
  for (int r = 0; at_root && r < size; ++r) {
    for (long k = 0; k < counts[r]; ++k) expect_value(all, (places[r] + k) * stride, value_of(r, 0, k));
    expect_guard(all, (places[r] + counts[r]) * (long)stride);
  }
  free(all);
  free(mine);
  free(counts);
}

static void try_scatter(MPI_Comm comm, int root, long n, int in_place, int uneven) {
  int stride, sent_stride;
  MPI_Datatype type, sent;
  choose_type(&type, &stride, (rank + root) % 3);
  choose_type(&sent, &sent_stride, (rank + (int)n) % 3);
  int *const counts = malloc(2 * (size_t)size * sizeof(int)), *const places = counts + size;
  const long total = lay_out(counts, places, n, uneven, 0, 3);
  const int at_root = rank == root;
  int *const all = numbers(at_root ? total * sent_stride : 0);
  int *const mine = numbers(counts[rank] * stride);
  for (int r = 0; at_root && r < size; ++r)
    for (long k = 0; k < counts[r]; ++k) all[(places[r] + k) * sent_stride] = value_of(root, r, k);
  void *const receive = in_place && at_root ? MPI_IN_PLACE : mine;
  if (uneven)
    MPI_Scatterv(at_root ? all : NULL, at_root ? counts : NULL, at_root ? places : NULL,
                 at_root ? sent : MPI_DATATYPE_NULL, receive, counts[rank], type, root, comm);
  else
    MPI_Scatter(at_root ? all : NULL, (int)n, at_root ? sent : MPI_DATATYPE_NULL, receive, (int)n, type, root, comm);
  if (receive == mine)
    for (long k = 0; k < counts[rank]; ++k) expect_value(mine, k * stride, value_of(root, rank, k));
  for (int r = 0; at_root && r < size; ++r)
    for (long k = 0; k < counts[r]; ++k) expect_value(all, (places[r] + k) * sent_stride, value_of(root, r, k));
  expect_guard(mine, counts[rank] * (long)stride);
  free(all);
  free(mine);
  free(counts);
}

static void try_all_to_all(MPI_Comm comm, long n, int in_place, int uneven) {
  int stride, sent_stride;
  MPI_Datatype type, sent;
  choose_type(&type, &stride, (rank + 1) % 3);
  choose_type(&sent, &sent_stride, (rank + (int)n) % 3);
  int *const lists = malloc((size_t)(4 * size) * sizeof(int));
  int *const counts = lists, *const places = lists + size, *const got = lists + 2 * size, *const at = lists + 3 * size;
  // In place, what goes to a rank must be as long as what comes from it.
  const long sum = lay_out(counts, places, n, uneven, in_place ? 0 : rank * 2, in_place ? rank : 1);
  const long got_sum = lay_out(got, at, n, uneven, in_place ? 0 : rank, in_place ? rank : 2);
  int *const out = numbers(sum * sent_stride), *const in = numbers(got_sum * stride);
  for (int r = 0; r < size; ++r)
    for (long k = 0; k < counts[r]; ++k) {
      out[(places[r] + k) * sent_stride] = value_of(rank, r, k);
      if (in_place) in[(at[r] + k) * stride] = value_of(rank, r, k);
    }
  const void *const send = in_place ? MPI_IN_PLACE : out;
  if (uneven)
    MPI_Alltoallv(send, in_place ? NULL : counts, in_place ? NULL : places, in_place ? MPI_DATATYPE_NULL : sent, in,
                  got, at, type, comm);
  else
    MPI_Alltoall(send, in_place ? -1 : (int)n, in_place ? MPI_DATATYPE_NULL : sent, in, (int)n, type, comm);
  for (int r = 0; r < size; ++r) {
    for (long k = 0; k < got[r]; ++k) expect_value(in, (at[r] + k) * stride, value_of(r, rank, k));
    if (uneven) expect_guard(in, (at[r] + got[r]) * (long)stride);
  }
  free(out);
  free(in);
  free(lists);
}

// Each block has a type of its own, and twice the room that a plain one needs.
static void try_all_to_all_w(MPI_Comm comm, long n, int in_place) {
  int *const lists = malloc((size_t)(6 * size) * sizeof(int));
  int *const counts = lists, *const places = lists + size, *const got = lists + 2 * size, *const at = lists + 3 * size;
  int *const strides = lists + 4 * size, *const sent_strides = lists + 5 * size;
  MPI_Datatype *const types = malloc((size_t)(2 * size) * sizeof(MPI_Datatype));
  MPI_Datatype *const sent_types = types + size;
  const long sum = lay_out(counts, places, n, 1, in_place ? 0 : rank * 2, in_place ? rank : 1);
  const long got_sum = lay_out(got, at, n, 1, in_place ? 0 : rank, in_place ? rank : 2);
  int *const out = numbers(2 * sum), *const in = numbers(2 * got_sum);
  for (int r = 0; r < size; ++r) {
    choose_type(&types[r], &strides[r], (rank + r) % 3);
    choose_type(&sent_types[r], &sent_strides[r], (rank + 2 * r + (int)n) % 3);
    places[r] *= 2, at[r] *= 2;
    for (long k = 0; k < counts[r]; ++k) {
      out[places[r] + k * sent_strides[r]] = value_of(rank, r, k);
      if (in_place) in[at[r] + k * strides[r]] = value_of(rank, r, k);
    }
    places[r] *= (int)sizeof(int), at[r] *= (int)sizeof(int);
  }
  MPI_Alltoallw(in_place ? MPI_IN_PLACE : out, in_place ? NULL : counts, in_place ? NULL : places,
                in_place ? NULL : sent_types, in, got, at, types, comm);
  for (int r = 0; r < size; ++r) {
    const int *const block = in + at[r] / (int)sizeof(int);
    for (long k = 0; k < got[r]; ++k) expect_value(block, k * strides[r], value_of(r, rank, k));
    expect_guard(block, (long)got[r] * strides[r]);
  }
  free(out);
  free(in);
  free(lists);
  free(types);
}

enum Kind { reduce, all_reduce, scan, exclusive, blocks, equal_blocks, kinds };

static int folded(int first, int last, long k, int way) {
  int all = value_of(first, 0, k);
  for (int r = first + 1; r <= last; ++r) {
    const int x = value_of(r, 0, k);
    all = way == 0 ? all + x : way == 1 ? (all > x ? all : x) : composed(all, x);
  }
  return all;
}

static void try_reduction(MPI_Comm comm, enum Kind kind, int root, long n, int in_place, int way, MPI_Op own) {
  int stride = 1;
  MPI_Datatype type = MPI_INT;
  if (way == 2) choose_type(&type, &stride, rank % 3);
  const MPI_Op op = way == 0 ? MPI_SUM : way == 1 ? MPI_MAX : own;
  int *const counts = malloc((size_t)size * sizeof(int));
  long all = 0, before = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = kind == blocks ? (int)((n + r) % (n + 2)) : (int)n;
    if (r < rank) before += counts[r];
    all += counts[r];
  }
  const long given = kind >= blocks ? all : n, mine = kind >= blocks ? counts[rank] : n;
  if (kind < blocks) before = 0;
  const int here = in_place && (kind != reduce || rank == root);
  int *const send = numbers(given * stride), *const receive = numbers(given * stride);
  for (long k = 0; k < given; ++k) {
    send[k * stride] = value_of(rank, 0, k);
    if (here) receive[k * stride] = value_of(rank, 0, k);
  }
  const void *const from = here ? MPI_IN_PLACE : send;
  switch (kind) {
    case reduce: MPI_Reduce(from, rank == root ? receive : NULL, (int)n, type, op, root, comm); break;
    case all_reduce: MPI_Allreduce(from, receive, (int)n, type, op, comm); break;
    case scan: MPI_Scan(from, receive, (int)n, type, op, comm); break;
    case exclusive: MPI_Exscan(from, receive, (int)n, type, op, comm); break;
    case blocks: MPI_Reduce_scatter(from, receive, counts, type, op, comm); break;
    default: MPI_Reduce_scatter_block(from, receive, (int)n, type, op, comm); break;
  }
  const int last = kind == scan ? rank : kind == exclusive ? rank - 1 : size - 1;
  for (long k = 0; k < mine; ++k) {
    if (kind == reduce && rank != root) break;
    if (kind == exclusive && rank == 0) break;
    expect_value(receive, k * stride, folded(0, last, before + k, way));
    if (stride == 2) expect_guard(receive, k * stride + 1);
  }
  for (long k = 0; k < given && kind == reduce && rank != root; ++k) expect_guard(receive, k * stride);
  expect_guard(receive, given * stride);
  for (long k = 0; k < given; ++k) expect_value(send, k * stride, value_of(rank, 0, k));
  free(send);
  free(receive);
  free(counts);
}

static void try_pairs(MPI_Comm comm, long n) {
  struct Pair { double value; int place; } *const mine = malloc((size_t)(n + 1) * sizeof(*mine)),
      *const best = malloc((size_t)(n + 1) * sizeof(*best));
  for (long k = 0; k < n; ++k) mine[k] = (struct Pair){value_of(rank, 0, k), rank};
  MPI_Allreduce(mine, best, (int)n, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  for (long k = 0; k < n; ++k) {
    int at = 0;
    for (int r = 1; r < size; ++r)
      if (value_of(r, 0, k) > value_of(at, 0, k)) at = r;
    if (best[k].place != at || best[k].value != value_of(at, 0, k)) fail("a wrong place", k);
  }
  free(mine);
  free(best);
}

int main(int argc, char **argv) {
  begin(MPI_THREAD_SINGLE);
  const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  rounds = argc > 2 ? atoi(argv[2]) : 10;
  if (rank == 0) printf("seed %u\n", seed);
  state = seed;
  MPI_Type_contiguous(1, MPI_INT, &row);
  MPI_Type_commit(&row);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
  MPI_Type_commit(&spaced);
  MPI_Op own;
  MPI_Op_create(combine, 0, &own);
  MPI_Comm turned;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  for (int round = 0; round < rounds; ++round) {
    const MPI_Comm comm = round % 2 == 0 ? MPI_COMM_WORLD : turned;
    MPI_Comm_rank(comm, &rank);
    static const long longs[] = {0, 1, 2, 7, 64, 1000, 4099, 70000};
    const long n = longs[next_number(8)];
    const int root = (int)next_number((unsigned)size), in_place = (int)next_number(2);
    what = "Barrier", MPI_Barrier(comm);
    what = "Bcast", try_broadcast(comm, root, n);
    what = "Gather", try_gather(comm, root, n, in_place, 0);
    what = "Allgather", try_gather(comm, root, n, in_place, 1);
    what = "Gatherv", try_gather_v(comm, root, n, in_place, 0);
    what = "Allgatherv", try_gather_v(comm, root, n, in_place, 1);
    what = "Scatter", try_scatter(comm, root, n, in_place, 0);
    what = "Scatterv", try_scatter(comm, root, n, in_place, 1);
    what = "Alltoall", try_all_to_all(comm, n, in_place, 0);
    what = "Alltoallv", try_all_to_all(comm, n, in_place, 1);
    what = "Alltoallw", try_all_to_all_w(comm, n, in_place);
    if (round < 2) what = "Alltoall by parts", try_all_to_all(comm, 70001, 1, 0);
    static const char *const names[] = {"Reduce", "Allreduce", "Scan", "Exscan", "Reduce_scatter",
                                        "Reduce_scatter_block"};
    for (int kind = 0; kind < kinds; ++kind)
      for (int way = 0; way < 3; ++way)
        what = names[kind], try_reduction(comm, (enum Kind)kind, root, n, in_place, way, own);
    what = "MAXLOC", try_pairs(comm, n);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_free(&turned);
  MPI_Op_free(&own);
  MPI_Type_free(&spaced);
  MPI_Type_free(&row);
  MPI_Barrier(MPI_COMM_WORLD);
  say_as_expected();
  MPI_Finalize();
  return 0;
}
