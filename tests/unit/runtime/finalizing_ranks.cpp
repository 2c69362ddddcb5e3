// A rank that ends the job in the way that its first argument names. Its second names the level of threads with which
// it starts MPI itself, where it knows MPI. Prints "as expected" on every rank, or what was not.

#ifdef TUTTI_TEST_MPI
#include <mpi.h>
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tutti/tutti.hpp"

namespace {

using tutti::Communicator;

void expect(bool is_so, const char* what) {
  if (is_so) return;
  std::printf("not so: %s\n", what);
  std::fflush(stdout);
  std::_Exit(3);
}

/// The error's text; empty: there was none.
std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const tutti::Error& error) {
    return error.what();
  }
  return {};
}

void expect_error(const std::function<void()>& call, const std::string& part) {
  const std::string error = error_of(call);
  if (error.find(part) == std::string::npos) std::printf("\"%s\" is not in \"%s\"\n", part.c_str(), error.c_str());
  expect(error.find(part) != std::string::npos, "the error");
}

void add_up(Communicator& comm) {
  std::vector<double> sums(20'000, comm.rank() + 1.0);
  comm.all_reduce(sums, tutti::sum);
  expect(sums.back() == comm.size() * (comm.size() + 1) / 2, "the sum");
}

/// The program's own messages work beside tutti's, and after them.
void expect_mpi_works() {
#ifdef TUTTI_TEST_MPI
  int mine = 1;
  int sum = 0;
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(sum == size, "the sum of MPI");
#endif
}

/// Ends the job: by the program's own MPI where it has one, else by tutti::finalize().
void end() {
#ifdef TUTTI_TEST_MPI
  MPI_Finalize();
#else
  tutti::finalize();
#endif
}

void unused() { end(); }

void used() {
  add_up(tutti::world());
  expect_mpi_works();
  end();
  expect_error([] { tutti::world(); }, "after the job's end");
}

void finalized() {
  add_up(tutti::world());
  tutti::finalize();
  tutti::finalize();
  expect_error([] { tutti::world(); }, "after the job's end");
  expect_mpi_works();
  end();
}

void finalized_unused() {
  tutti::finalize();
  expect_error([] { tutti::world(); }, "after the job's end");
  end();
}

/// Objects that the program keeps beyond the end do nothing, and can be destroyed.
void kept() {
  Communicator& comm = tutti::world();
  std::optional<Communicator> half = comm.split(comm.rank() % 2, 0);
  Communicator copy = comm.duplicate();
  std::vector<int> numbers(10, 1);
  tutti::Plan plan = half->plan_all_reduce(std::span(numbers), tutti::sum);
  plan.run();
  tutti::Handle done = copy.barrier_async();
  done.wait();
  tutti::Memory<double> memory = comm.allocate<double>(1000);
  end();
  expect_error([&] { comm.barrier(); }, "barrier");
  expect_error([&] { copy.all_reduce(numbers, tutti::sum); }, "after the job's end");
  expect_error([&] { (void)half->duplicate(); }, "after the job's end");
  expect_error([&] { plan.run(); }, "after the job's end");
  expect_error([&] { copy.send(1, 0); }, "after the job's end");
  expect_error([&] { copy.wait_all(); }, "after the job's end");
  expect(done.test(), "a handle that was done stays so");
  memory[999] = 1;
}

/// The root has left its broadcast when the others come to it.
void early() {
  Communicator& comm = tutti::world();
  if (comm.rank() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  int number = comm.rank() == 0 ? 7 : 0;
  comm.broadcast(number, 0);
  expect(number == 7, "the broadcast number");
  end();
}

/// A call that was not waited for: finalize() throws, the end by MPI is told on standard error. The other ranks may be
/// told of it in the barrier, in finalize(), or not at all.
void outstanding() {
  Communicator& comm = tutti::world();
  tutti::Handle handle;
  const std::string error = error_of([&] {
    comm.barrier();
    if (comm.rank() == 0) handle = comm.barrier_async();
    tutti::finalize();
  });
  if (comm.rank() == 0 && comm.size() > 1)
    expect(error.find("without waiting for its barrier") != std::string::npos, "an error of finalize()");
  end();
}

void outstanding_untold() {
  Communicator& comm = tutti::world();
  comm.barrier();  // a rank that comes later would be told of the error by world()
  tutti::Handle handle;
  if (comm.rank() == 0) handle = comm.barrier_async();
  end();
}

/// The root's broadcast, to which nobody else comes: finalize() throws. The other ranks may be told of it in the
/// barrier, which a rank may still be in when the root finds that another has ended, in finalize(), or not at all.
void alone() {
  Communicator& comm = tutti::world();
  const std::string error = error_of([&] {
    comm.barrier();  // a rank that comes later would be told of the error by world()
    int number = 7;
    if (comm.rank() == 0) comm.broadcast(number, 0);
    tutti::finalize();
  });
  if (comm.rank() == 0 && comm.size() > 1)
    expect(error.find("broadcast") != std::string::npos, "an error of finalize()");
  end();
}

void start_mpi([[maybe_unused]] const std::string& level) {
#ifdef TUTTI_TEST_MPI
  static const std::map<std::string, int> levels = {{"single", MPI_THREAD_SINGLE},
                                                    {"funneled", MPI_THREAD_FUNNELED},
                                                    {"serialized", MPI_THREAD_SERIALIZED},
                                                    {"multiple", MPI_THREAD_MULTIPLE}};
  int has = 0;
  if (level == "plain") MPI_Init(nullptr, nullptr);
  if (const auto found = levels.find(level); found != levels.end())
    MPI_Init_thread(nullptr, nullptr, found->second, &has);
#endif
}

}  // namespace

int main(int count, char** words) {
  static const std::map<std::string, void (*)()> ways = {
      {"unused", unused}, {"used", used},   {"finalized", finalized},     {"finalized_unused", finalized_unused},
      {"kept", kept},     {"early", early}, {"outstanding", outstanding}, {"outstanding_untold", outstanding_untold},
      {"alone", alone},
  };
  start_mpi(count > 2 ? words[2] : "");
  ways.at(words[1])();
  std::printf("as expected\n");
}
