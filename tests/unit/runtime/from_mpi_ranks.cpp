// A program of MPI that makes tutti's communicators of its own, and uses both. Its argument is the level of threads, or
// what is wrong. Prints "as expected" on rank 0, or what was not.

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"
#include "tutti/tutti_mpi.hpp"

namespace {

using tutti::Communicator;

void expect(bool is_so, const char* what) {
  if (is_so) return;
  std::printf("not so: %s\n", what);
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

/// The communicator of tutti's has the ranks of MPI's, in its order; both work, in turn.
void expect_alike(Communicator& comm, MPI_Comm mpi) {
  int rank = -1;
  int size = -1;
  MPI_Comm_rank(mpi, &rank);
  MPI_Comm_size(mpi, &size);
  expect(comm.rank() == rank && comm.size() == size, "rank and size");
  int world_rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  for (int k = 0; k < 5; ++k) {
    std::vector<int> all(static_cast<std::size_t>(size));
    std::vector<int> same(all.size());
    MPI_Allgather(&world_rank, 1, MPI_INT, same.data(), 1, MPI_INT, mpi);
    comm.all_gather(std::span(&world_rank, 1), std::span(all));
    expect(all == same, "the ranks in their order");
    std::vector<double> sums(10'000, rank);
    comm.all_reduce(sums, tutti::sum);
    expect(sums.back() == size * (size - 1) / 2, "the sum");
    MPI_Barrier(mpi);
  }
}

void use_both() {
  Communicator whole = Communicator::from(MPI_COMM_WORLD);
  expect_alike(whole, MPI_COMM_WORLD);
  // Parts of different sizes, in reversed order; some ranks have none.
  for (const int parts : {2, 3, 1}) {
    MPI_Comm part = MPI_COMM_NULL;
    const int color = whole.rank() == 3 && parts == 2 ? MPI_UNDEFINED : whole.rank() % parts;
    MPI_Comm_split(MPI_COMM_WORLD, color, -whole.rank(), &part);
    if (part == MPI_COMM_NULL) continue;
    Communicator comm = Communicator::from(part);
    Communicator again = Communicator::from(part);
    expect_alike(comm, part);
    expect_alike(again, part);
    Communicator half = *again.split(again.rank() % 2);
    half.barrier();
    MPI_Comm_free(&part);
    comm.barrier();  // lives on without MPI's
  }
  Communicator alone = Communicator::from(MPI_COMM_SELF);
  expect(alone.size() == 1, "a communicator of one rank");
  alone.barrier();
  expect_alike(whole, MPI_COMM_WORLD);
}

/// Returns the call's error for ranks that do not fit together.
std::string refused_sum(Communicator& comm) {
  std::vector<int> numbers(static_cast<std::size_t>(comm.rank() + 1));
  try {
    comm.all_reduce(numbers, tutti::sum);
  } catch (const tutti::Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_words(const std::string& text, const std::string& words) {
  expect(text.find(words) != std::string::npos, (words + " in: " + text).c_str());
}

/// The communicator has the name that MPI gave it when it was made, and so have those that are split off after it.
void be_named() {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part);
  Communicator before = Communicator::from(part);
  Communicator first = *before.split(0);
  MPI_Comm_set_name(part, "the part");
  Communicator named = Communicator::from(part);
  Communicator half = *named.split(0);
  MPI_Comm_set_name(part, "another name");
  expect_words(refused_sum(named), "(call 2 of communicator the part)");
  expect_words(refused_sum(half), "(call 1 of communicator the part/1.0)");
  const std::string unnamed = refused_sum(before);
  const std::string words = " of communicator ";
  const std::size_t begin = unnamed.find(words) + words.size();
  const std::string title = unnamed.substr(begin, unnamed.find(')', begin) - begin);
  expect_words(refused_sum(first), "(call 1" + words + title + "/1.0)");
  MPI_Comm_free(&part);
}

void be_refused() {
  Communicator whole = Communicator::from(MPI_COMM_WORLD);
  try {
    Communicator none = Communicator::from(MPI_COMM_NULL);
    expect(false, "MPI_COMM_NULL is refused");
  } catch (const tutti::Error& error) {
    expect(error.code() == tutti::ErrorCode::invalid_argument, error.what());
  }
  whole.barrier();
}

}  // namespace

int main(int count, char** words) {
  const std::string way = count > 1 ? words[1] : "single";
  const std::vector<std::string> levels = {"single", "funneled", "serialized", "multiple"};
  const int wanted[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
  int has = 0;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (way == levels[k]) MPI_Init_thread(nullptr, nullptr, wanted[k], &has);
  }
  if (way == "wrong" || way == "named") MPI_Init(nullptr, nullptr);
  if (way == "wrong") {
    be_refused();
  } else if (way == "named") {
    be_named();
  } else {
    use_both();
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 0) std::printf("as expected\n");
}
