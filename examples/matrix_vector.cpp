/// @file
/// y = A x on a grid of ranks.
///
/// The n by n matrix lies in blocks on an R by C grid: the rank in row i and column j of the grid holds the rows of
/// part i and the columns of part j. Part j of x lies on rank (0, j), in the first row.
///
///     1  broadcast x down the columns            2  multiply            3  sum along the rows
///         x0     x1     x2                       A(i,j) xj is           y0 <-- . <-- .
///         |      |      |                        block (i,j)'s
///         v      v      v                        share of yi            y1 <-- . <-- .
///
/// Part i of y ends on rank (i, 0), in the first column. All columns broadcast at the same time, and then all rows sum.
///
/// Needs     any n and any grid; parts differ in length by at most one, and may be empty.
/// Time      broadcast of n/C elements over R ranks, 2 n^2/(R C) operations, reduction of n/R elements over C ranks.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1,
///           Example 4.1, there for a grid of n by n. Its products are summed along the rows: sums along the columns
///           would be x(j) Σ A(i,j) over i.

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "examples/command_line.hpp"
#include "examples/parts.hpp"
#include "examples/ranks.hpp"
#include "tutti/tutti.hpp"

namespace {

using examples::Part;

struct Request {
  int rows = 2;
  int columns = 2;
  std::int64_t n = 1000;
};

// Small whole numbers: sums are exact in any order, so the check is for equality.
double matrix(std::int64_t i, std::int64_t j) { return static_cast<double>((31 * i + 17 * j + i * j) % 19 - 9); }
double vector(std::int64_t j) { return static_cast<double>(5 * j % 13 - 6); }

std::vector<double> product(const Part& rows, const Part& columns, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(rows.size), 0);
  for (std::int64_t i = 0; i < rows.size; ++i) {
    for (std::int64_t j = 0; j < columns.size; ++j) {
      y[static_cast<std::size_t>(i)] += matrix(rows.first + i, columns.first + j) * x[static_cast<std::size_t>(j)];
    }
  }
  return y;
}

std::vector<double> vector_part(const Part& part) {
  std::vector<double> x;
  for (std::int64_t j = 0; j < part.size; ++j) x.push_back(vector(part.first + j));
  return x;
}

/// This rank's text; all of y on rank 0, nothing elsewhere.
std::vector<double> multiply(tutti::Communicator& comm, const Request& request) {
  const int row = comm.rank() / request.columns;
  const int column = comm.rank() % request.columns;
  const Part rows = examples::part_of(request.n, row, request.rows);
  const Part columns = examples::part_of(request.n, column, request.columns);
  tutti::Communicator along_row = comm.split(row, column).value();
  tutti::Communicator along_column = comm.split(column, row).value();

  std::vector<double> x(static_cast<std::size_t>(columns.size));
  if (row == 0) x = vector_part(columns);
  along_column.broadcast(x);
  std::vector<double> y = product(rows, columns, x);
  along_row.reduce(y, tutti::sum);

  if (column != 0) return {};
  return along_column.gather_v(y).elements;
}

int check(const Request& request) {
  const int ranks = examples::number_of_ranks(request.rows * request.columns);
  if (ranks != request.rows * request.columns) {
    throw tutti::Error(tutti::ErrorCode::invalid_argument,
                       fmt::format("a grid of {} x {} is not of the {} ranks that the program was started as: "
                                   "set --rows and --columns",
                                   request.rows, request.columns, ranks));
  }
  std::vector<double> y;
  examples::on_ranks(ranks, [&](tutti::Communicator& comm) {
    std::vector<double> result = multiply(comm, request);
    if (comm.rank() == 0) y = std::move(result);
  });
  if (!examples::speaks()) return 0;
  const Part all{0, request.n};
  const bool right = y == product(all, all, vector_part(all));
  fmt::print("matrix-vector product, n = {}, on {} x {} ranks: {} the sequential product\n", request.n, request.rows,
             request.columns, right ? "equals" : "DIFFERS FROM");
  return right ? 0 : 1;
}

void add_options(examples::Options& options, Request& request) {
  options.add_number("--rows", request.rows, 1, 32, "Rows of the grid of ranks");
  options.add_number("--columns", request.columns, 1, 32, "Columns of the grid of ranks");
  options.add_number("--n", request.n, 0, 20000, "Rows and columns of the matrix");
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  return examples::run({.name = "example_matrix_vector",
                        .purpose = "Matrix-vector product on a grid of ranks",
                        .add_options = [&](examples::Options& options) { add_options(options, request); },
                        .program = [&] { return check(request); }},
                       argc, argv);
}
