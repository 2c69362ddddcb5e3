/// @file
/// A program of MPI that calls every collective for which tutti writes rules, at several sizes, and looks at the
/// results.

#include <mpi.h>

#include <cstdio>
#include <vector>

namespace {

int rank = 0;
int size = 1;
bool right = true;

void expect(const std::vector<double>& values, double value) {
  for (const double each : values) right = right && each == value;
}

void look_at(int n) {
  const auto m = static_cast<std::size_t>(n);
  const auto p = static_cast<std::size_t>(size);
  const double sum = size * (size - 1) / 2.0;
  const std::vector<double> mine(m * p, rank);
  std::vector<double> out(m, -1);
  MPI_Allreduce(mine.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(out, sum);
  out.assign(m, -1);
  MPI_Reduce(mine.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) expect(out, sum);
  out.assign(m, rank == 0 ? 5 : -1);
  MPI_Bcast(out.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  expect(out, 5);
  out.assign(m, -1);
  MPI_Reduce_scatter_block(mine.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(out, sum);
  const std::vector<int> counts(p, n);
  out.assign(m, -1);
  MPI_Reduce_scatter(mine.data(), out.data(), counts.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(out, sum);
  out.assign(m, -1);
  MPI_Scatter(mine.data(), n, MPI_DOUBLE, out.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  expect(out, 0);
  std::vector<double> all(m * p, -1);
  const auto expect_ranks = [&] {
    for (std::size_t k = 0; k < all.size(); ++k) right = right && all[k] == static_cast<double>(k / m);
  };
  MPI_Allgather(mine.data(), n, MPI_DOUBLE, all.data(), n, MPI_DOUBLE, MPI_COMM_WORLD);
  expect_ranks();
  all.assign(m * p, -1);
  MPI_Gather(mine.data(), n, MPI_DOUBLE, all.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) expect_ranks();
  all.assign(m * p, -1);
  MPI_Alltoall(mine.data(), n, MPI_DOUBLE, all.data(), n, MPI_DOUBLE, MPI_COMM_WORLD);
  expect_ranks();
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (const int n : {1, 10, 1000, 30'000}) look_at(n);
  if (rank == 0) std::printf("%s\n", right ? "all right" : "wrong");
  MPI_Finalize();
  return right ? 0 : 1;
}
