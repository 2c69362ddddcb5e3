// An MPI for scripts/bench-scale: see program.hpp. Built once for each MPI library that is found. With the word `start`
// it only joins, reduces and splits.

#include <mpi.h>

#include <cstring>
#include <utility>

#include "bench/scale/program.hpp"

namespace {

class Ranks {
 public:
  Ranks() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks() { MPI_Finalize(); }

  int rank() const { return rank_; }
  int size() const { return size_; }
  double sum(double value) { return all_reduce(value, MPI_SUM); }
  double maximum(double value) { return all_reduce(value, MPI_MAX); }
  void split() {
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank_, &fresh);
    MPI_Comm_free(&fresh);
  }

 private:
  static double all_reduce(double value, MPI_Op op) {
    double result = 0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return result;
  }

  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

int main(int words, char** line) {
  if (words > 1 && std::strcmp(line[1], "start") == 0) return tutti::bench::starts<Ranks>() ? 0 : 1;
  tutti::bench::measure_scale<Ranks>();
  return 0;
}
