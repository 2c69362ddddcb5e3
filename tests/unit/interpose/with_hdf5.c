// A program of HDF5 that knows nothing of tutti: all ranks write one dataset into one file and read it, collectively.
// The file is left open, so that HDF5 closes it when MPI_Finalize frees what hangs on MPI_COMM_SELF; then rank 0 reads
// it by itself. Prints "as expected" on rank 0, or what was not.
//
//     with_hdf5 FILE

#include <hdf5.h>

#include "unchanged.h"

enum { rows = 300, columns = 40 };

static int value_of(int row, int column) { return row * 1000 + column; }

// Every size-th column, from `first` on, in the file; all of it in memory.
static void choose_columns(hid_t space, int first, hsize_t count) {
  const hsize_t start[2] = {0, (hsize_t)first}, stride[2] = {1, (hsize_t)size}, counts[2] = {rows, count};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, counts, NULL);
}

static void write_and_read(hid_t file) {
  const hsize_t whole[2] = {rows, columns}, chunk[2] = {50, columns};
  const hsize_t count = (hsize_t)((columns - rank + size - 1) / size), mine[2] = {rows, count};
  const hid_t space = H5Screate_simple(2, whole, NULL), memory = H5Screate_simple(2, mine, NULL);
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_obj_track_times(layout, 0);
  H5Pset_chunk(layout, 2, chunk);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  const hid_t dataset = H5Dcreate2(file, "numbers", H5T_STD_I32LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  choose_columns(space, rank, count);
  int *const data = malloc(rows * count * sizeof(int));
  for (int at = 0; at < rows * (int)count; ++at)
    data[at] = value_of(at / (int)count, rank + at % (int)count * size);
  expect(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, transfer, data) >= 0, "a dataset that can be written");
  expect(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "a file that can be flushed");
  const int other = (rank + 1) % size;
  const hsize_t others = (hsize_t)((columns - other + size - 1) / size), theirs[2] = {rows, others};
  const hid_t space_of_others = H5Screate_simple(2, theirs, NULL);
  int *const read = malloc(rows * others * sizeof(int));
  choose_columns(space, other, others);
  expect(H5Dread(dataset, H5T_NATIVE_INT, space_of_others, space, transfer, read) >= 0, "a dataset that can be read");
  for (int at = 0; at < rows * (int)others; ++at)
    expect(read[at] == value_of(at / (int)others, other + at % (int)others * size), "what another rank has written");
  free(read);
  free(data);
  H5Sclose(space_of_others), H5Sclose(memory), H5Sclose(space);
  H5Pclose(transfer), H5Pclose(layout);
}

// MPI has ended: what is wrong is told, and is not expected.
static int is_whole(const char *name) {
  static int all[rows][columns];
  const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, "numbers", H5P_DEFAULT);
  if (H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) < 0) return 0;
  for (int at = 0; at < rows * columns; ++at)
    if (all[at / columns][at % columns] != value_of(at / columns, at % columns)) return 0;
  H5Dclose(dataset);
  return H5Fclose(file) >= 0;
}

int main(int argc, char **argv) {
  begin(MPI_THREAD_SINGLE);
  rounds = 20;
  expect(argc > 1, "the name of a file");
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
  expect(file >= 0, "a file that can be made");
  expect_sums(MPI_COMM_WORLD, rounds);
  write_and_read(file);
  MPI_Finalize();
  if (rank == 0 && is_whole(argv[1])) say_as_expected();
  return 0;
}
