/// @file
/// An MPI library in the measuring loop. Built once for each MPI library that is found.

#include <mpi.h>

#include <algorithm>

#include "bench/rivals/program.hpp"

namespace tutti::bench {
namespace {

class Mpi {
 public:
  explicit Mpi(bool library_memory) : library_memory_(library_memory) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
  void max_over_ranks(std::span<double> values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), length(values), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }

  void call(Collective collective, std::span<double> in, std::span<double> out) {
    // Counts are those of one block, and only the root has both sides of a scatter or a gather.
    const MPI_Comm all = MPI_COMM_WORLD;
    const int received = length(out);
    const int sent = length(in);
    switch (collective) {
      case Collective::broadcast:
        MPI_Bcast(out.data(), received, MPI_DOUBLE, 0, all);
        break;
      case Collective::reduce:
        MPI_Reduce(in.data(), out.data(), sent, MPI_DOUBLE, MPI_SUM, 0, all);
        break;
      case Collective::all_reduce:
        MPI_Allreduce(in.data(), out.data(), sent, MPI_DOUBLE, MPI_SUM, all);
        break;
      case Collective::scan:
        MPI_Scan(in.data(), out.data(), sent, MPI_DOUBLE, MPI_SUM, all);
        break;
      case Collective::scatter:
        MPI_Scatter(in.data(), received, MPI_DOUBLE, out.data(), received, MPI_DOUBLE, 0, all);
        break;
      case Collective::gather:
        MPI_Gather(in.data(), sent, MPI_DOUBLE, out.data(), sent, MPI_DOUBLE, 0, all);
        break;
      case Collective::all_gather:
        MPI_Allgather(in.data(), sent, MPI_DOUBLE, out.data(), sent, MPI_DOUBLE, all);
        break;
      case Collective::reduce_scatter:
        MPI_Reduce_scatter_block(in.data(), out.data(), received, MPI_DOUBLE, MPI_SUM, all);
        break;
      case Collective::all_to_all:
        MPI_Alltoall(in.data(), sent / size_, MPI_DOUBLE, out.data(), sent / size_, MPI_DOUBLE, all);
        break;
      default:
        MPI_Barrier(all);
        break;
    }
  }

  std::shared_ptr<double> allocate(std::size_t count) {
    if (!library_memory_) return measure::plain_memory(count);
    void* memory = nullptr;
    MPI_Alloc_mem(static_cast<MPI_Aint>(std::max<std::size_t>(count, 1) * sizeof(double)), MPI_INFO_NULL, &memory);
    return {static_cast<double*>(memory), [](double* held) { MPI_Free_mem(held); }};
  }

 private:
  static int length(std::span<const double> data) { return static_cast<int>(data.size()); }

  bool library_memory_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    const auto work = tutti::bench::work_of({argv + 1, argv + argc});
    tutti::bench::Mpi mpi(work.library_memory);
    tutti::bench::serve(mpi, work);
  } catch (const std::exception& error) {
    MPI_Abort(MPI_COMM_WORLD, tutti::bench::complain(argv[0], error));
  }
  MPI_Finalize();
}
