/// @file
/// Five ranks on two hosts, for hosts_test: the first argument says what they do. Each prints "rank R: CODE TEXT" of
/// the error that it gets.

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti {
namespace {

void say(const std::string& line) {
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);
}

void expect_error(const std::function<void()>& what) {
  const int rank = world().rank();
  try {
    what();
    say(fmt::format("rank {}: no error\n", rank));
  } catch (const Error& error) {
    say(fmt::format("rank {}: {} {}\n", rank, static_cast<int>(error.code()), error.what()));
  }
}

/// Rank 1 is gone without a word. Rank 0, of its host, waits there alone; it finds out, and tells the others, who may
/// still split the communicator.
void gone() {
  Communicator& comm = world();
  expect_error([&] {
    Communicator here = comm.split_by_node();
    if (comm.rank() == 1) kill(getpid(), SIGKILL);
    comm.rank() == 0 ? here.barrier() : comm.barrier();
  });
  std::_Exit(0);  // the end of the job would wait for rank 1
}

/// Rank 3 ends in the midst of a receive, though all others wait for it: rank 4 by way of those of its host. They may
/// still split the communicator.
void ends() {
  Communicator& comm = world();
  expect_error([&] {
    Communicator here = comm.split_by_node();
    if (comm.rank() == 3) {
      static int value = 0;
      const Handle handle = comm.receive_async(std::span(&value, 1), 0);
      std::exit(7);
    } else if (comm.rank() == 4) {
      here.barrier();
    } else if (comm.rank() == 1) {
      comm.barrier();
    } else {
      comm.receive<int>(3);  // and not a barrier, which would wait for rank 4: a circle
    }
  });
}

void throws() {
  Communicator& comm = world();
  if (comm.rank() == 3) throw std::runtime_error("a reason");
  expect_error([&] { comm.barrier(); });
}

/// A circle that goes through memory and MPI, and through communicators of a host and of all: 0 - 1 - 2 - 4 - 3 - 0,
/// where the nodes are AABBB.
void circle() {
  Communicator& comm = world();
  Communicator here = comm.split_by_node();
  const std::map<int, int> of_all = {{1, 2}, {3, 0}, {4, 3}};
  expect_error([&] {
    if (comm.rank() == 0) {
      here.receive<int>(1);
    } else if (comm.rank() == 2) {
      here.receive<int>(2);
    } else {
      comm.receive<int>(of_all.at(comm.rank()));
    }
  });
}

/// Ranks of a host call differently on a communicator of all, and then on their own.
void mismatch() {
  Communicator& comm = world();
  Communicator all = comm.duplicate();
  Communicator here = comm.split_by_node();
  int value = 0;
  const auto call = [&](Communicator& on) {
    comm.rank() == 4 ? on.broadcast(value, 0) : on.broadcast(value, 1);
    on.wait_all();
  };
  expect_error([&] { call(all); });
  comm.barrier();
  if (here.size() == 3) expect_error([&] { call(here); });
}

/// A buffer of rank 3 is gone before rank 4, of the same host, comes to read it: both numbers are those of the
/// communicator, and not of the host.
void unmap() {
  Communicator& comm = world();
  Communicator all = comm.duplicate();
  constexpr std::size_t bytes = 4'000'000;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const std::span<double> data(static_cast<double*>(memory), bytes / sizeof(double));
  if (comm.rank() == 3) {
    expect_error([&] {
      Handle handle = all.send_async(std::span<const double>(data), 4);
      munmap(memory, bytes);
      comm.barrier();
      handle.wait();
    });
  } else {
    comm.barrier();
    if (comm.rank() == 4) expect_error([&] { all.receive(data, 3); });
  }
}

const std::map<std::string, void (*)()> scenarios = {{"gone", gone},     {"ends", ends},         {"throws", throws},
                                                     {"circle", circle}, {"mismatch", mismatch}, {"unmap", unmap}};

}  // namespace
}  // namespace tutti

int main(int, char** arguments) { tutti::scenarios.at(arguments[1])(); }
