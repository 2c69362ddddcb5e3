/// @file
/// Gloo over its TCP transport on the loopback interface, in the measuring loop: rival_gloo RANKS, then as program.hpp.
///
/// The program starts its own ranks. Gloo has no scan. Its reduce-scatter is bound to memory that it may still be
/// sending when it returns, so that calls one after the other give wrong sums. Nothing is printed for these two.

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/math.h>
#include <gloo/reduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "bench/rivals/program.hpp"

namespace tutti::bench {
namespace {

using Combine = void (*)(void*, const void*, const void*, std::size_t);

class Gloo {
 public:
  Gloo(int rank, int size, const std::string& folder) : rank_(rank), size_(size) {
    gloo::transport::tcp::attr loopback("127.0.0.1");
    auto device = gloo::transport::tcp::CreateDevice(loopback);
    gloo::rendezvous::FileStore store(folder);
    auto context = std::make_shared<gloo::rendezvous::Context>(rank, size);
    context->connectFullMesh(store, device);
    context_ = context;
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  void barrier() {
    gloo::BarrierOptions options(context_);
    gloo::barrier(options);
  }
  void max_over_ranks(std::span<double> values) { all_reduce(values, values, &gloo::max<double>); }

  void call(Collective collective, std::span<double> in, std::span<double> out) {
    switch (collective) {
      case Collective::broadcast:
        return broadcast(out);
      case Collective::reduce:
        return reduce(in, out);
      case Collective::all_reduce:
        return all_reduce(in, out, &gloo::sum<double>);
      case Collective::scatter:
        return scatter(in, out);
      case Collective::gather:
        return gather(in, out);
      case Collective::all_gather:
        return all_gather(in, out);
      case Collective::all_to_all:
        return all_to_all(in, out);
      default:
        return barrier();
    }
  }

  std::shared_ptr<double> allocate(std::size_t count) { return measure::plain_memory(count); }

 private:
  void broadcast(std::span<double> data) {
    gloo::BroadcastOptions options(context_);
    options.setOutput(data.data(), data.size());
    options.setRoot(0);
    gloo::broadcast(options);
  }
  // The output is scratch on the other ranks.
  void reduce(std::span<double> in, std::span<double> out) {
    if (out.empty()) scratch_.resize(in.size());
    gloo::ReduceOptions options(context_);
    options.setInput(in.data(), in.size());
    options.setOutput(out.empty() ? scratch_.data() : out.data(), in.size());
    options.setRoot(0);
    options.setReduceFunction(static_cast<Combine>(&gloo::sum<double>));
    gloo::reduce(options);
  }
  void all_reduce(std::span<double> in, std::span<double> out, Combine combine) {
    gloo::AllreduceOptions options(context_);
    options.setInput(in.data(), in.size());
    options.setOutput(out.data(), out.size());
    options.setReduceFunction(combine);
    gloo::allreduce(options);
  }
  void scatter(std::span<double> in, std::span<double> out) {
    gloo::ScatterOptions options(context_);
    if (rank_ == 0) {
      std::vector<double*> blocks;
      for (int r = 0; r < size_; ++r) blocks.push_back(in.data() + static_cast<std::size_t>(r) * out.size());
      options.setInputs(blocks, out.size());
    }
    options.setOutput(out.data(), out.size());
    options.setRoot(0);
    gloo::scatter(options);
  }
  void gather(std::span<double> in, std::span<double> out) {
    gloo::GatherOptions options(context_);
    options.setInput(in.data(), in.size());
    if (rank_ == 0) options.setOutput(out.data(), out.size());
    options.setRoot(0);
    gloo::gather(options);
  }
  void all_gather(std::span<double> in, std::span<double> out) {
    gloo::AllgatherOptions options(context_);
    options.setInput(in.data(), in.size());
    options.setOutput(out.data(), out.size());
    gloo::allgather(options);
  }
  void all_to_all(std::span<double> in, std::span<double> out) {
    gloo::AlltoallOptions options(context_);
    options.setInput(in.data(), in.size());
    options.setOutput(out.data(), out.size());
    gloo::alltoall(options);
  }

  int rank_;
  int size_;
  std::shared_ptr<gloo::Context> context_;
  std::vector<double> scratch_;
};

bool offers(Collective collective) {
  return collective != Collective::scan && collective != Collective::reduce_scatter;
}

// One rank; the status of its process.
int run_rank(int rank, int ranks, const std::string& folder, const Work& work) try {
  Gloo gloo(rank, ranks, folder);
  serve(gloo, work);
  gloo.barrier();
  return 0;
} catch (const std::exception& error) {
  return complain("rival_gloo", error);
}

// This process is rank 0; the others do not outlive it.
int run_ranks(int ranks, const Work& work) {
  std::string folder = std::filesystem::temp_directory_path() / "tutti-gloo-XXXXXX";
  require(mkdtemp(folder.data()) != nullptr, "no folder can be made in {}", folder);
  for (int rank = 1; rank < ranks; ++rank) {
    const pid_t child = fork();
    require(child >= 0, "rank {} cannot be started", rank);
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      std::_Exit(run_rank(rank, ranks, folder, work));
    }
  }
  int status = run_rank(0, ranks, folder, work);
  for (int ended = 0; status == 0 && wait(&ended) > 0;) status = ended == 0 ? 0 : 1;
  std::filesystem::remove_all(folder);
  return status;
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) try {
  std::vector<std::string> words(argv + 1, argv + argc);
  tutti::require(!words.empty(), "the number of ranks is missing");
  const auto ranks = static_cast<int>(tutti::parse_integer(words.front(), "a number of ranks", 1, 1024));
  words.erase(words.begin());
  const auto work = tutti::bench::work_of(words);
  return tutti::bench::offers(work.collective) ? tutti::bench::run_ranks(ranks, work) : 0;
} catch (const std::exception& error) {
  return tutti::bench::complain("rival_gloo", error);
}
