// An MPI program that knows nothing of tutti: collectives whose elements are of types made at random, in every way that
// MPI has, or whose messages are long. What comes is compared with what MPI_Pack and MPI_Unpack make of the same types.
// Prints "as expected" on rank 0, or what was not.
//
//     types drawn SEED TYPES
//     types long MEGABYTES

#include "unchanged.h"

static unsigned long long state;

static int draw(int below) {  // one sequence on all ranks
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((state >> 33) % (unsigned)below);
}

enum { most_blocks = 6 };

// Displacements in units of `extent`, of blocks that do not overlap; in any order where `is_free`.
static void draw_blocks(int n, int extent, int* lengths, int* places, MPI_Aint* addresses) {
  int end = draw(3), order[most_blocks];
  for (int k = 0; k < n; ++k) order[k] = k;
  for (int k = n - 1; k > 0; --k) {
    const int other = draw(k + 1), kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
  for (int k = 0; k < n; ++k) {
    const int at = order[k];
    places[at] = end;
    addresses[at] = (MPI_Aint)end * extent;
    end += lengths[at] + draw(3);
  }
}

// Draws a subarray: sizes, parts, and where these begin.
static MPI_Datatype draw_subarray(MPI_Datatype inner) {
  int sizes[3], parts[3], starts[3];
  const int dimensions = 1 + draw(3);
  for (int d = 0; d < dimensions; ++d) {
    sizes[d] = 1 + draw(4);
    parts[d] = 1 + draw(sizes[d]);
    starts[d] = draw(sizes[d] - parts[d] + 1);
  }
  MPI_Datatype type;
  MPI_Type_create_subarray(dimensions, sizes, parts, starts, draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, inner, &type);
  return type;
}

static MPI_Datatype draw_struct(MPI_Datatype inner) {
  MPI_Datatype types[3] = {inner, draw(2) ? MPI_DOUBLE_INT : MPI_SHORT_INT, MPI_CHAR}, type;
  int lengths[3];
  MPI_Aint addresses[3], lower, extent, end = 0;
  for (int k = 0; k < 3; ++k) {
    MPI_Type_get_extent(types[k], &lower, &extent);
    lengths[k] = draw(3);
    addresses[k] = (end + 15) / 16 * 16;
    end = addresses[k] + lengths[k] * extent + draw(5);
  }
  MPI_Type_create_struct(3, lengths, addresses, types, &type);
  return type;
}

// The type is of `inner`, and is not committed.
static MPI_Datatype draw_over(MPI_Datatype inner) {
  int lengths[most_blocks], places[most_blocks];
  MPI_Aint addresses[most_blocks], lower, extent;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int n = 1 + draw(most_blocks), length = 1 + draw(3), kind = draw(11);
  MPI_Type_get_extent(inner, &lower, &extent);
  for (int k = 0; k < n; ++k) lengths[k] = kind < 7 ? draw(4) : length;
  draw_blocks(n, (int)extent, lengths, places, addresses);
  switch (kind) {
    case 0: MPI_Type_contiguous(n, inner, &type); break;
    case 1: MPI_Type_dup(inner, &type); break;
    case 2: MPI_Type_vector(n, length, length + draw(3), inner, &type); break;
    case 3: MPI_Type_create_hvector(n, length, length * extent + 8 * draw(3), inner, &type); break;
    case 4: MPI_Type_indexed(n, lengths, places, inner, &type); break;
    case 5: MPI_Type_create_hindexed(n, lengths, addresses, inner, &type); break;
    case 6: type = draw_struct(inner); break;
    case 7: MPI_Type_create_indexed_block(n, length, places, inner, &type); break;
    case 8: MPI_Type_create_hindexed_block(n, length, addresses, inner, &type); break;
    case 9: MPI_Type_create_resized(inner, lower, extent + 16, &type); break;
    default: type = draw_subarray(inner);
  }
  return type;
}

static MPI_Datatype draw_type(void) {
  const MPI_Datatype basic[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_DOUBLE_INT, MPI_SHORT_INT};
  MPI_Datatype type, over;
  MPI_Type_dup(basic[draw(6)], &type);
  for (int depth = 1 + draw(3); depth > 0; --depth, type = over) {
    over = draw_over(type);
    MPI_Type_free(&type);
  }
  MPI_Type_commit(&type);
  return type;
}

// Expects of a move on each side what comes of it by MPI's own packing.
static void expect_moved(MPI_Datatype type, int count, int root) {
  MPI_Aint lower, extent;
  MPI_Type_get_true_extent(type, &lower, &extent);
  MPI_Aint no_lower, step;
  MPI_Type_get_extent(type, &no_lower, &step);
  int bytes, position = 0;
  MPI_Type_size(type, &bytes);
  bytes *= count;
  const size_t span = (size_t)(lower + extent + (count - 1) * step);
  char *const elements = malloc(span + 1), *const packed = malloc((size_t)bytes + 1),
      *const got = malloc((size_t)bytes + 1), *const wanted = malloc(span + 1);
  for (size_t k = 0; k < span; ++k) elements[k] = (char)(k * 31 + k / 251);
  MPI_Pack(elements, count, type, packed, bytes, &position, MPI_COMM_SELF);
  // Elements at the root, bytes elsewhere.
  memset(got, 0, (size_t)bytes + 1);
  if (rank == root) MPI_Bcast(elements, count, type, root, MPI_COMM_WORLD);
  else MPI_Bcast(got, bytes, MPI_CHAR, root, MPI_COMM_WORLD);
  expect(rank == root || memcmp(got, packed, (size_t)bytes) == 0, "elements arrive as they are packed");
  // Bytes at the root, elements elsewhere; what is between them stays.
  memset(elements, 7, span);
  memset(wanted, 7, span);
  position = 0;
  MPI_Unpack(packed, bytes, &position, wanted, count, type, MPI_COMM_SELF);
  if (rank == root) MPI_Bcast(packed, bytes, MPI_CHAR, root, MPI_COMM_WORLD);
  else MPI_Bcast(elements, count, type, root, MPI_COMM_WORLD);
  expect(rank == root || memcmp(elements, wanted, span) == 0, "elements are written where they lie, and nothing else");
  free(elements);
  free(packed);
  free(got);
  free(wanted);
}

static void move_drawn(unsigned long long seed, int types) {
  for (int k = 0; k < types; ++k) {
    state = seed + (unsigned long long)k;
    MPI_Datatype type = draw_type();
    MPI_Aint lower, extent;
    int bytes;
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lower, &extent);
    // So that the library packs it itself; nothing of it lies before the buffer.
    const int count = bytes == 0 ? 0 : 40000 / bytes + 1 + draw(3);
    if (count > 0 && lower >= 0) {
      if (getenv("TYPES_VERBOSE") != NULL && rank == 0) printf("seed %llu, %d elements of %d bytes\n", state, count, bytes);
      expect_moved(type, count, draw(size));
    }
    MPI_Type_free(&type);
  }
}

// ---- Long messages

enum { line = 1000, used = 900 };

static char value_of(int from, int to, long k) { return (char)(from * 41 + to * 17 + k % 127 + k / 1000003); }

// A buffer of `blocks` blocks of lines whose ends are not theirs.
static char* lines(long n, int blocks, int filling) {
  char* const all = malloc((size_t)(n * blocks * line));
  memset(all, filling, (size_t)(n * blocks * line));
  return all;
}
static void fill(char* block, long n, int from, int to) {
  for (long k = 0; k < n; ++k)
    for (int b = 0; b < used; ++b) block[k * line + b] = value_of(from, to, k * used + b);
}
static void expect_filled(const char* block, long n, int from, int to, const char* what) {
  for (long k = 0; k < n; ++k) {
    for (int b = 0; b < line; b += b < used - 1 ? used - 1 : 1)
      expect(block[k * line + b] == (b < used ? value_of(from, to, k * used + b) : -1), what);
  }
}

// Each collective that is cut into parts, of one type on all ranks, with n lines for a block.
static void move_lines(MPI_Datatype type, long n) {
  const int root = size - 1;
  char *const one = lines(n, 1, -1), *const all = lines(n, size, -1), *const got = lines(n, size, -1);
  for (int r = 0; r < size; ++r) fill(all + r * n * line, n, rank, r);
  fill(one, n, rank, 0);
  MPI_Gather(one, 1, type, got, 1, type, root, MPI_COMM_WORLD);
  for (int r = 0; rank == root && r < size; ++r) expect_filled(got + r * n * line, n, r, 0, "gathered lines");
  memset(got, -1, (size_t)(n * size * line));
  MPI_Allgather(one, 1, type, got, 1, type, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) expect_filled(got + r * n * line, n, r, 0, "all gathered lines");
  memset(got, -1, (size_t)(n * size * line));
  memcpy(got + rank * n * line, one, (size_t)(n * line));
  MPI_Allgather(MPI_IN_PLACE, 0, type, got, 1, type, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) expect_filled(got + r * n * line, n, r, 0, "all gathered lines in place");
  memset(got, -1, (size_t)(n * size * line));
  MPI_Alltoall(all, 1, type, got, 1, type, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) expect_filled(got + r * n * line, n, r, rank, "exchanged lines");
  memset(got, -1, (size_t)(n * size * line));
  MPI_Scatter(all, 1, type, got, 1, type, root, MPI_COMM_WORLD);
  expect_filled(got, n, root, rank, "scattered lines");
  if (rank == root) {
    MPI_Scatter(all, 1, type, MPI_IN_PLACE, 0, type, root, MPI_COMM_WORLD);
    memset(got, -1, (size_t)(n * size * line));
    memcpy(got + root * n * line, one, (size_t)(n * line));
    MPI_Gather(MPI_IN_PLACE, 0, type, got, 1, type, root, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) expect_filled(got + r * n * line, n, r, 0, "lines gathered in place");
  } else {
    MPI_Scatter(NULL, 0, type, got, 1, type, root, MPI_COMM_WORLD);
    expect_filled(got, n, root, rank, "lines scattered from their place");
    MPI_Gather(one, 1, type, NULL, 0, type, root, MPI_COMM_WORLD);
  }
  // All lines of a rank to all, where one rank has no gaps.
  char* const packed = malloc((size_t)(n * size * used));
  for (long k = 0; k < n * size * used; ++k) packed[k] = value_of(root, 0, k);
  memset(got, -1, (size_t)(n * size * line));
  if (rank == root) MPI_Bcast(packed, (int)(n * size * used), MPI_CHAR, root, MPI_COMM_WORLD);
  else MPI_Bcast(got, size, type, root, MPI_COMM_WORLD);
  if (rank != root) expect_filled(got, n * size, root, 0, "broadcast lines");
  free(one);
  free(all);
  free(got);
  free(packed);
}

static void move_long(long megabytes) {
  // Elements of all blocks of a rank together; not a multiple of any part.
  const long n = (megabytes << 20) / used / size + 7;
  MPI_Datatype rows, type, subarray;
  MPI_Type_vector((int)n, used, line, MPI_CHAR, &rows);
  MPI_Type_create_resized(rows, 0, n * line, &type);
  MPI_Type_commit(&type);
  move_lines(type, n);
  const int sizes[2] = {(int)n, line}, parts[2] = {(int)n, used}, starts[2] = {0, 0};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_CHAR, &subarray);
  MPI_Type_commit(&subarray);
  move_lines(subarray, n);
  MPI_Type_free(&rows);
  MPI_Type_free(&type);
  MPI_Type_free(&subarray);
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  expect_sums(MPI_COMM_WORLD, 3);  // the first collectives of a communicator are MPI's
  expect(argc > 2, "a way");
  if (strcmp(argv[1], "drawn") == 0) move_drawn(strtoull(argv[2], NULL, 10), atoi(argv[3]));
  else move_long(atol(argv[2]));
  say_as_expected();
  MPI_Finalize();
  return 0;
}
