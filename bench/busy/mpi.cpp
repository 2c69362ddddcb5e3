// An MPI program that knows nothing of tutti, for scripts/bench-busy: see program.hpp.

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <vector>

#include "bench/busy/program.hpp"

namespace {

class Ranks {
 public:
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    gathered_.resize(static_cast<std::size_t>(size_));
  }

  int rank() const { return rank_; }
  void all_reduce(double& value) {
    double greatest = 0;
    MPI_Allreduce(&value, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    value = greatest;
  }
  void broadcast(double& value) { MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
  void all_gather(double value) {
    MPI_Allgather(&value, 1, MPI_DOUBLE, gathered_.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
  }
  void ping_pong(double& value) {
    const int peer = rank_ ^ 1;
    if (peer >= size_) return;
    if (rank_ < peer) {
      MPI_Send(&value, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
      MPI_Recv(&value, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&value, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&value, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
    }
  }

 private:
  int rank_ = 0;
  int size_ = 0;
  std::vector<double> gathered_;
};

}  // namespace

int main(int words, char** line) {
  MPI_Init(&words, &line);
  try {
    Ranks ranks;
    tutti::bench::measure_busy(ranks, words, line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "busy: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
