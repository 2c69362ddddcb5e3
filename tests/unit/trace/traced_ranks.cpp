/// @file
/// A program whose ranks call collectives and send messages, for trace_test. The first argument says how it ends:
/// "well", "large" (well too, after messages of 800 kB), "fails" (rank 1 throws), "killed" (rank 1 is gone without a
/// word). The others say why they ended, and that is all.

#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "tutti/tutti.hpp"

namespace {

void work(tutti::Communicator& comm, const char* how) {
  std::vector<double> data(std::strcmp(how, "large") == 0 ? 100'000 : 1000, comm.rank());
  comm.all_reduce(std::span(data), tutti::sum);
  if (comm.rank() == 1 && std::strcmp(how, "fails") == 0) throw std::runtime_error("as asked for");
  if (comm.rank() == 1 && std::strcmp(how, "killed") == 0) std::raise(SIGKILL);
  const int next = (comm.rank() + 1) % comm.size();
  const int previous = (comm.rank() + comm.size() - 1) % comm.size();
  std::vector<double> other(data.size());
  tutti::Handle sent = comm.send_async(std::span<const double>(data), next);
  tutti::Handle received = comm.receive_async(std::span(other), previous);
  comm.wait(sent, received);
  comm.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    work(tutti::world(), argc > 1 ? argv[1] : "well");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
