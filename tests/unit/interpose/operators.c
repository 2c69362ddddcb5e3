// An MPI program that knows nothing of tutti, whose operators combine elements of its own types. Prints "as expected"
// on rank 0, or what was not.
//
//     operators WAY

#include <stddef.h>
#include <stdint.h>

#include "unchanged.h"

// An element of which MPI knows all but the note.
struct Element {
  int note, number;
  double value;
};

static void add(void* left, void* right, int* n, MPI_Datatype* type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(*type, &lower, &extent);
  for (int k = 0; k < *n; ++k) {
    const struct Element* const a = (const struct Element*)((char*)left + k * extent);
    struct Element* const b = (struct Element*)((char*)right + k * extent);
    expect((uintptr_t)a % sizeof(double) == 0 && (uintptr_t)b % sizeof(double) == 0, "operands as aligned as a double");
    b->number += a->number;
    b->value += a->value;
  }
}

static MPI_Datatype type_of_element(MPI_Aint lower, MPI_Aint extent) {
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {offsetof(struct Element, number), offsetof(struct Element, value)};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype whole, type;
  MPI_Type_create_struct(2, lengths, places, types, &whole);
  MPI_Type_create_resized(whole, lower, extent, &type);
  MPI_Type_free(&whole);
  MPI_Type_commit(&type);
  return type;
}

enum { n = 1300 };
static struct Element mine[n], all[n];

static void fill(void) {
  for (int k = 0; k < n; ++k) mine[k] = (struct Element){7, rank, rank + k}, all[k] = (struct Element){9, -1, -1};
}

static void expect_values(int ranks, int sum_of_them) {
  for (int k = 0; k < n; ++k)
    expect(all[k].note == 9 && all[k].number == sum_of_them && all[k].value == ranks * k + sum_of_them,
           "values and holes");
}

// Elements that begin and end with a hole, on ranks some of which get nothing, and have no memory for it.
static void holes(void) {
  MPI_Datatype type = type_of_element(4, sizeof(struct Element));
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  for (int k = 0; k < 4; ++k) {
    fill();
    MPI_Exscan(mine, rank == 0 ? NULL : all, n, type, op, MPI_COMM_WORLD);
    if (rank > 0) expect_values(rank, rank * (rank - 1) / 2);
    fill();
    MPI_Allreduce(mine, all, n, type, op, MPI_COMM_WORLD);
    expect_values(size, size * (size - 1) / 2);
    fill();
    memcpy(all, mine, sizeof(all));
    for (int at = 0; at < n; ++at) all[at].note = 9;
    MPI_Exscan(MPI_IN_PLACE, all, n, type, op, MPI_COMM_WORLD);
    if (rank > 0) expect_values(rank, rank * (rank - 1) / 2);
    if (rank == 0) expect_values(1, 0);
  }
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

// Elements each of which lies before the one that it follows.
static void backwards(void) {
  MPI_Datatype type = type_of_element(0, -(MPI_Aint)sizeof(struct Element));
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  for (int k = 0; k < 4; ++k) {
    fill();
    MPI_Allreduce(mine + n - 1, all + n - 1, n, type, op, MPI_COMM_WORLD);
    expect_values(size, size * (size - 1) / 2);
    fill();
    MPI_Bcast((rank == k % size ? mine : all) + n - 1, n, type, k % size, MPI_COMM_WORLD);
    if (rank != k % size) expect_values(1, k % size);
  }
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

// No element of 5 GiB needs any memory. Elements that long are left to MPI, and those of 2.5 GiB are not.
static void endless(void) {
  MPI_Datatype half, whole, part;
  MPI_Op op;
  MPI_Type_contiguous(5 << 28, MPI_BYTE, &half);
  MPI_Type_contiguous(2, half, &part);
  MPI_Type_contiguous(4, half, &whole);
  MPI_Type_commit(&part);
  MPI_Type_commit(&whole);
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(mine, all, 0, part, op, MPI_COMM_WORLD);
  MPI_Scan(mine, all, 0, whole, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  static const struct Way ways[] = {{"holes", holes}, {"backwards", backwards}, {"endless", endless}, {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
