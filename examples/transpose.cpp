/// @file
/// B = transpose of A by an all-to-all.
///
/// A has `rows` by `columns` elements; each rank holds some consecutive rows of A and will hold some consecutive rows
/// of B. Let a rank store its rows column by column: then the columns that another rank needs are consecutive, and are
/// its block as they lie. The block that comes from rank i, transposed by itself, is as consecutive in B.
///
///     rank 0's rows of A      A0,0 | A0,1 | A0,2            rank 0's rows of B      A0,0' | A1,0' | A2,0'
///     rank 1's                A1,0 | A1,1 | A1,2    ---->   rank 1's                A0,1' | A1,1' | A2,1'
///     rank 2's                A2,0 | A2,1 | A2,2            rank 2's                A0,2' | A1,2' | A2,2'
///
/// Needs     any matrix and any p: all_to_all where p divides both sides, all_to_all_v elsewhere.
/// Time      an all-to-all with blocks of rows·columns/p^2 elements.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5,
/// Example 4.2.

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "examples/command_line.hpp"
#include "examples/parts.hpp"
#include "examples/ranks.hpp"
#include "tutti/tutti.hpp"

namespace {

using examples::Part;
using Element = std::int64_t;

struct Request {
  int ranks = 4;
  std::int64_t rows = 1000;
  std::int64_t columns = 700;
};

/// The element of A in row i and column j; no two are alike.
Element element(const Request& request, std::int64_t i, std::int64_t j) { return i * request.columns + j; }

std::vector<Element> elements(std::int64_t count) { return std::vector<Element>(static_cast<std::size_t>(count)); }

/// Moves block j of every rank i to place i of rank j: some rows of A by some columns.
void exchange(tutti::Communicator& comm, const Request& request, std::span<const Element> from, std::span<Element> to) {
  const int p = comm.size();
  if (request.rows % p == 0 && request.columns % p == 0) {
    comm.all_to_all(from, to);
    return;
  }
  std::vector<std::int64_t> send_counts = examples::sizes_of_parts(request.columns, p);
  std::vector<std::int64_t> receive_counts = examples::sizes_of_parts(request.rows, p);
  for (std::int64_t& count : send_counts) count *= examples::part_of(request.rows, comm.rank(), p).size;
  for (std::int64_t& count : receive_counts) count *= examples::part_of(request.columns, comm.rank(), p).size;
  comm.all_to_all_v(from, to, send_counts, receive_counts);
}

/// This rank's rows of B, column by column, from its rows of A, column by column.
std::vector<Element> transpose(tutti::Communicator& comm, const Request& request, std::span<const Element> a) {
  const int p = comm.size();
  const std::int64_t own = examples::part_of(request.columns, comm.rank(), p).size;
  std::vector<Element> received = elements(own * request.rows);
  exchange(comm, request, a, received);

  std::vector<Element> b = elements(own * request.rows);
  const auto target = tutti::reshape(b, own, request.rows);
  for (int rank = 0; rank < p; ++rank) {
    const Part rows = examples::part_of(request.rows, rank, p);
    const auto block = std::span(received).subspan(static_cast<std::size_t>(own * rows.first),
                                                   static_cast<std::size_t>(own * rows.size));
    const auto source = tutti::reshape(block, rows.size, own);
    for (std::int64_t i = 0; i < rows.size; ++i) {
      for (std::int64_t j = 0; j < own; ++j) target(j, rows.first + i) = source(i, j);
    }
  }
  return b;
}

/// Whether the rows of B that a rank holds are what they should be, on all ranks.
bool transposes(tutti::Communicator& comm, const Request& request) {
  const Part rows = examples::part_of(request.rows, comm.rank(), comm.size());
  const Part columns = examples::part_of(request.columns, comm.rank(), comm.size());
  std::vector<Element> a = elements(rows.size * request.columns);
  const auto source = tutti::reshape(a, rows.size, request.columns);
  for (std::int64_t j = 0; j < request.columns; ++j) {
    for (std::int64_t i = 0; i < rows.size; ++i) source(i, j) = element(request, rows.first + i, j);
  }
  std::vector<Element> b = transpose(comm, request, a);
  const auto result = tutti::reshape(b, columns.size, request.rows);
  bool right = true;
  for (std::int64_t i = 0; i < request.rows; ++i) {
    for (std::int64_t j = 0; j < columns.size; ++j)
      right = right && result(j, i) == element(request, i, columns.first + j);
  }
  return comm.all_reduce(right, tutti::logical_and);
}

int check(const Request& request) {
  const int ranks = examples::number_of_ranks(request.ranks);
  bool right = false;
  examples::on_ranks(ranks, [&](tutti::Communicator& comm) {
    const bool everywhere = transposes(comm, request);
    if (comm.rank() == 0) right = everywhere;
  });
  if (!examples::speaks()) return 0;
  fmt::print("transpose of {} x {} elements on {} ranks: {}\n", request.rows, request.columns, ranks,
             right ? "every element is in its place" : "ELEMENTS ARE OUT OF PLACE");
  return right ? 0 : 1;
}

void add_options(examples::Options& options, Request& request) {
  options.add_ranks(request.ranks);
  options.add_number("--rows", request.rows, 0, 20000, "Rows of the matrix");
  options.add_number("--columns", request.columns, 0, 20000, "Columns of the matrix");
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  return examples::run({.name = "example_transpose",
                        .purpose = "Matrix transpose by an all-to-all",
                        .add_options = [&](examples::Options& options) { add_options(options, request); },
                        .program = [&] { return check(request); }},
                       argc, argv);
}
