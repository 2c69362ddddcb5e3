// tutti for scripts/bench-busy: see program.hpp.

#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "bench/busy/program.hpp"
#include "tutti/tutti.hpp"

namespace {

class Ranks {
 public:
  int rank() const { return comm_.rank(); }
  void all_reduce(double& value) { value = comm_.all_reduce(value, tutti::maximum); }
  void broadcast(double& value) { comm_.broadcast(std::span(&value, 1)); }
  void barrier() { comm_.barrier(); }
  void all_gather(double value) { comm_.all_gather(std::span(&value, 1), gathered_); }
  void ping_pong(double& value) {
    const int peer = comm_.rank() ^ 1;
    if (peer >= comm_.size()) return;
    const std::span<double> message(&value, 1);
    if (comm_.rank() < peer) {
      comm_.send(message, peer);
      comm_.receive(message, peer);
    } else {
      comm_.receive(message, peer);
      comm_.send(message, peer);
    }
  }

 private:
  tutti::Communicator& comm_ = tutti::world();
  std::vector<double> gathered_ = std::vector<double>(static_cast<std::size_t>(comm_.size()));
};

}  // namespace

int main(int words, char** line) {
  try {
    Ranks ranks;
    tutti::bench::measure_busy(ranks, words, line);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "busy: %s\n", error.what());
    return 1;
  }
}
