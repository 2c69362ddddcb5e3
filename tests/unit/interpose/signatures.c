// An MPI program that knows nothing of tutti, whose ranks describe one message by types that do not match, though lengths
// do; and, in other ways, by types that look otherwise and match. Prints "as expected" on rank 0, or what was not.
//
//     signatures WAY

#include "unchanged.h"

enum { most = 64 };
static double in[4 * most], out[4 * most];
static int ones[most], places[most], doubled[most];
static MPI_Datatype types[most], others[most];

static MPI_Comm fresh(void) { return copy_that_returns(NULL); }

static void ended(int code, MPI_Request request, const char* words) {
  if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_words(code, words);
}

// All ranks say what the first pair of ranks does that differs.
static void moved(void) {
  const int is_root = rank == 0;
  const MPI_Datatype of_root = is_root ? MPI_DOUBLE : MPI_INT;
  expect_words(MPI_Bcast(in, is_root ? 4 : 8, of_root, 0, fresh()),
               "rank 0 sends 4 MPI_DOUBLE to rank 1, which expects 8 MPI_INT; all called MPI_Bcast (on communicator ");
  expect_words(MPI_Gather(in, is_root ? 1 : 2, of_root, out, 1, MPI_DOUBLE, 0, fresh()),
               "rank 1 sends 2 MPI_INT to rank 0, which expects 1 MPI_DOUBLE; all called MPI_Gather (");
  expect_words(MPI_Scatterv(in, ones, places, MPI_DOUBLE, out, is_root ? 1 : 2, of_root, 0, fresh()),
               "rank 0 sends 1 MPI_DOUBLE to rank 1, which expects 2 MPI_INT; all called MPI_Scatterv (");
  expect_words(MPI_Allgather(in, 1, MPI_LONG, out, 1, rank == 1 ? MPI_DOUBLE : MPI_LONG, fresh()),
               "rank 0 sends 1 MPI_LONG to rank 1, which expects 1 MPI_DOUBLE; all called MPI_Allgather (");
  expect_words(MPI_Alltoallv(in, ones, places, rank == 1 ? MPI_FLOAT : MPI_INT, out, ones, places, MPI_INT, fresh()),
               "rank 1 sends 1 MPI_FLOAT to rank 0, which expects 1 MPI_INT; all called MPI_Alltoallv (");
  expect_words(MPI_Bcast(in, 4, is_root ? MPI_CHAR : MPI_BYTE, 0, fresh()),
               "rank 0 sends 4 MPI_CHAR to rank 1, which expects 4 MPI_BYTE; all called MPI_Bcast (");
}

// By MPI alone, and of one type for each rank.
static void moved_by_mpi(void) {
  MPI_Comm ring;
  const int is_ring = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_ring, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  for (int r = 0; r < size; ++r) types[r] = MPI_INT, others[r] = rank == 1 && r == 2 ? MPI_FLOAT : MPI_INT;
  expect_words(MPI_Alltoallw(in, ones, doubled, types, out, ones, doubled, others, fresh()),
               "rank 2 sends 1 MPI_INT to rank 1, which expects 1 MPI_FLOAT; all called MPI_Alltoallw (");
  expect_words(MPI_Neighbor_allgather(in, 1, rank == 1 ? MPI_FLOAT : MPI_INT, out, 1, MPI_INT, ring),
               "rank 1 sends 1 MPI_FLOAT to rank 0, which expects 1 MPI_INT; all called MPI_Neighbor_allgather (");
}

// Elements of a program's own operator, of which only the program knows what they are.
static void sum(void* a, void* b, int* n, MPI_Datatype* type) { (void)a, (void)b, (void)n, (void)type; }

static void folded(void) {
  MPI_Op own;
  MPI_Op_create(sum, 1, &own);
  MPI_Datatype pair;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &pair);
  MPI_Type_commit(&pair);
  expect_words(
      MPI_Allreduce(in, out, 1, rank == 1 ? MPI_DOUBLE : pair, own, fresh()),
      "rank 1 called MPI_Allreduce with 1 MPI_DOUBLE; ranks 0, 2 called MPI_Allreduce with 1 MPI_INT, 1 MPI_FLOAT (");
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Iallreduce(in, out, 1, rank == 1 ? MPI_DOUBLE : pair, own, fresh(), &request);
  ended(code, request,
        "rank 1 began MPI_Iallreduce with 8 bytes and an operator of the program's, of 1 MPI_DOUBLE; ranks 0, 2 ");
  MPI_Type_free(&pair);
  MPI_Op_free(&own);
}

// Both ends of the first message hear of it.
static void begun(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int is_root = rank == 0;
  const MPI_Comm copy = fresh();
  int code = MPI_Ibcast(in, is_root ? 4 : 8, is_root ? MPI_DOUBLE : MPI_INT, 0, copy, &request);
  char words[200];
  snprintf(
      words, sizeof(words),
      "rank 0 sends 4 MPI_DOUBLE to rank %d, which expects 8 MPI_INT; all began MPI_Ibcast with root 0 and 32 bytes (",
      is_root ? 1 : rank);
  ended(code, request, words);
  code = MPI_Iallgatherv(in, 1, MPI_INT, out, ones, places, rank == 1 ? MPI_FLOAT : MPI_INT, fresh(), &request);
  snprintf(words, sizeof(words), "rank %d sends 1 MPI_INT to rank 1, which expects 1 MPI_FLOAT; all began ",
           rank == 1 ? 0 : rank);
  ended(code, request, words);
}

static void between(void) {
  MPI_Comm group, both;
  const int upper = rank >= 1;
  MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, upper ? 0 : 1, 7, &both);
  MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
  expect_words(MPI_Bcast(in, upper ? 2 : 1, upper ? MPI_INT : MPI_DOUBLE, upper ? 0 : MPI_ROOT, both),
               "rank 0 sends 1 MPI_DOUBLE to rank 1, which expects 2 MPI_INT; all called MPI_Bcast (ranks of ");
}

static void apart(MPI_Datatype* type) { MPI_Type_commit(type); }

// One message in many descriptions: each rank has another one, in each round.
static void alike(void) {
  enum { kinds = 12 };
  MPI_Datatype all[kinds], pair, row;
  int counts[kinds], n = 0;
  const int subsizes[] = {2, 2}, sizes[] = {4, 3}, starts[] = {1, 0};
  const MPI_Aint far[] = {0, 64, 128, 200};
  all[n] = MPI_DOUBLE, counts[n++] = 4;
  MPI_Type_contiguous(4, MPI_DOUBLE, &all[n]), counts[n++] = 1;
  MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &all[n]), counts[n++] = 2;
  MPI_Type_create_hvector(4, 1, 24, MPI_DOUBLE, &all[n]), counts[n++] = 1;
  MPI_Type_indexed(2, (int[]){3, 1}, (int[]){5, 0}, MPI_DOUBLE, &all[n]), counts[n++] = 1;
  MPI_Type_create_hindexed_block(4, 1, far, MPI_DOUBLE, &all[n]), counts[n++] = 1;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 32}, (MPI_Datatype[]){MPI_DOUBLE, MPI_DOUBLE}, &pair);
  MPI_Type_dup(pair, &all[n]), counts[n++] = 2;
  MPI_Type_create_resized(pair, 0, 80, &all[n]), counts[n++] = 2;
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &all[n]), counts[n++] = 1;
  MPI_Type_create_darray(2, 0, 1, (int[]){8}, (int[]){MPI_DISTRIBUTE_BLOCK}, (int[]){MPI_DISTRIBUTE_DFLT_DARG},
                         (int[]){2}, MPI_ORDER_C, MPI_DOUBLE, &all[n]),
      counts[n++] = 1;
  all[n] = MPI_DOUBLE_PRECISION, counts[n++] = 4;
  all[n] = MPI_PACKED, counts[n++] = 32;
  for (int k = 0; k < n; ++k) {
    if (all[k] != MPI_DOUBLE && all[k] != MPI_DOUBLE_PRECISION && all[k] != MPI_PACKED) apart(&all[k]);
  }
  const MPI_Comm copy = fresh();
  for (int k = 0; k < n; ++k) {
    const int mine = (k + rank) % n;
    expect(MPI_Bcast(in, counts[mine], all[mine], 0, copy) == MPI_SUCCESS, "a broadcast");
    expect(MPI_Allgather(in, counts[mine], all[mine], out, 4, MPI_DOUBLE, copy) == MPI_SUCCESS, "an all-gather");
    MPI_Request request;
    expect(MPI_Igather(in, counts[mine], all[mine], out, 4, MPI_DOUBLE, 0, copy, &request) == MPI_SUCCESS, "a gather");
    expect(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "its end");
  }
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &row);
  MPI_Type_commit(&row);
  const MPI_Datatype same[][2] = {{row, MPI_DOUBLE_INT},
                                  {MPI_INT, MPI_INTEGER},
                                  {MPI_INT, MPI_INT32_T},
                                  {MPI_CHAR, MPI_CHARACTER},
                                  {MPI_LONG, MPI_LONG_LONG},
                                  {MPI_FLOAT, MPI_REAL},
                                  {MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX}};
  for (unsigned k = 0; k < sizeof(same) / sizeof(same[0]); ++k)
    expect(MPI_Bcast(in, 2, same[k][rank % 2], 0, copy) == MPI_SUCCESS, "types of one kind");
  MPI_Type_free(&row), MPI_Type_free(&pair);
  for (int k = 1; k < 10; ++k) MPI_Type_free(&all[k]);
  expect_sum(copy);
}

// Arguments that make grids and graphs, of which MPI compares none.
static void made(void) {
  int* volatile unweighted = MPI_UNWEIGHTED;  // the compiler takes it for an address that is read
  MPI_Comm made;
  const int is_odd = rank == 1;
  const int lines[] = {is_odd ? size : 1, is_odd ? 1 : size}, rings[] = {0, 0}, odd[] = {0, is_odd};
  const int row[] = {1, size};
  expect_words(MPI_Cart_create(fresh(), 2, lines, rings, 0, &made),
               "rank 1 called MPI_Cart_create with dims 3, 1; ranks 0, 2 called MPI_Cart_create with dims 1, 3 (");
  expect_words(MPI_Cart_create(fresh(), 2, row, odd, 0, &made),
               "rank 1 called MPI_Cart_create with periods 0, 1; ranks 0, 2 ");
  expect_words(MPI_Cart_create(fresh(), 2, row, rings, is_odd, &made),
               "rank 1 called MPI_Cart_create with reorder true; ranks 0, 2 ");
  expect_words(MPI_Cart_create(fresh(), is_odd ? 1 : 2, is_odd ? &size : row, rings, 0, &made),
               "rank 1 called MPI_Cart_create with ndims 1; ranks 0, 2 ");
  const int ends[] = {1, 2, 2}, edges[] = {1, is_odd ? 2 : 0};
  expect_words(MPI_Graph_create(fresh(), 3, ends, edges, 0, &made),
               "rank 1 called MPI_Graph_create with edges 1, 2; ranks 0, 2 ");
  const int degree = 1, next = (rank + 1) % size;
  expect_words(
      MPI_Dist_graph_create(fresh(), 1, &rank, &degree, &next, is_odd ? &degree : unweighted, MPI_INFO_NULL, 0, &made),
      "rank 1 called MPI_Dist_graph_create with weights given; ranks 0, 2 called MPI_Dist_graph_create with "
      "weights MPI_UNWEIGHTED (");
  const int previous = (rank + size - 1) % size;
  expect_words(MPI_Dist_graph_create_adjacent(fresh(), 1, &previous, unweighted, 1, &next, unweighted, MPI_INFO_NULL,
                                              is_odd, &made),
               "rank 1 called MPI_Dist_graph_create_adjacent with reorder true; ranks 0, 2 ");
  MPI_Group all, some;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, (int[]){0, rank == 0 ? 2 : 1}, &some);
  expect_words(MPI_Comm_create(fresh(), some, &made),
               "rank 0 passes a group of 0, 2, and rank 2, which is in it, one of 0, 1; all called MPI_Comm_create (");
}

static void made_alike(void) {
  MPI_Comm made, part;
  const MPI_Comm copy = fresh();
  const int row[] = {1, size}, rings[] = {0, rank + 1};
  expect(MPI_Cart_create(copy, 2, row, rings, rank + 1, &made) == MPI_SUCCESS, "truth is any number but 0");
  expect(MPI_Cart_sub(made, (int[]){0, rank + 1}, &part) == MPI_SUCCESS, "a part of a grid");
  MPI_Comm_free(&part), MPI_Comm_free(&made);
  const int degree = 1, next = (rank + 1) % size;
  expect(MPI_Dist_graph_create(copy, rank == 0 ? 0 : 1, &rank, &degree, &next, rank == 0 ? MPI_WEIGHTS_EMPTY : &degree,
                               MPI_INFO_NULL, 0, &made) == MPI_SUCCESS,
         "one without edges");
  MPI_Comm_free(&made);
  MPI_Group all, own;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &rank, &own);
  expect(MPI_Comm_create(copy, own, &made) == MPI_SUCCESS, "groups that are apart");
  MPI_Comm_free(&made);
  MPI_Group_free(&own), MPI_Group_free(&all);
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  for (int r = 0; r < most; ++r) ones[r] = 1, places[r] = r, doubled[r] = 8 * r;
  const struct Way ways[] = {{"moved", moved}, {"moved_by_mpi", moved_by_mpi}, {"folded", folded},
                             {"begun", begun}, {"between", between},           {"alike", alike},
                             {"made", made},   {"made_alike", made_alike},     {NULL, NULL}};
  expect(argc == 2, "one way");
  run_way(ways, argv[1]);
  say_as_expected();
  MPI_Finalize();
  return 0;
}
