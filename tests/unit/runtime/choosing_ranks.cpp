/// @file
/// A program whose ranks choose algorithms, for choosing_test. The first argument says what it does:
///
///     choices     every rank but the first keeps to one core, and all say whether they would choose as rank 0 does for
///                 many calls, at the same prices
///     algorithm   all say by which algorithm an all-reduce of 1000 bytes would go, and rank 0 why
///     trial       20 all-reduces of 125 integers, and what rank 0 has to say of how they were planned;
///                 all say by which algorithm they go in the end
///     node        all say which ranks they share a node with
///     all-reduce, all-to-all-v
///                 one such call; what it gives, or throws, is printed

#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"

namespace {

using tutti::Collective;

constexpr Collective collectives[] = {Collective::broadcast,  Collective::reduce,         Collective::all_reduce,
                                      Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all};

/// The `k`th of the cores that this process may use, counted round and round.
void stay_on_one_core(int k) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  int left = k % CPU_COUNT(&allowed);
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || left-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof(one), &one);
    return;
  }
}

std::vector<double> prices(tutti::Communicator& comm) {
  std::vector<double> all;
  for (const Collective collective : collectives) {
    for (std::int64_t count = 1; count <= 1 << 20; count *= 16) {
      for (const char c : comm.algorithm_of(collective, count)) all.push_back(c);
      all.push_back(comm.predicted_time(collective, count).count());
    }
  }
  return all;
}

int choices(tutti::Communicator& comm) {
  const std::vector<double> mine = prices(comm);
  std::vector<double> first = mine;
  comm.broadcast(std::span(first), 0);
  std::printf("rank %d: %s\n", comm.rank(), mine == first ? "as rank 0" : "other choices");
  return 0;
}

int algorithm(tutti::Communicator& comm) {
  std::printf("rank %d: %s\n", comm.rank(), std::string(comm.algorithm_of(Collective::all_reduce, 1000)).c_str());
  std::vector<char> data(1000);
  const tutti::Plan plan = comm.plan_all_reduce(std::span(data), tutti::sum);
  if (comm.rank() == 0) std::printf("%s", plan.explanation().c_str());
  return 0;
}

int trial(tutti::Communicator& comm) {
  std::vector<std::int64_t> data(125);
  tutti::Plan plan = comm.plan_all_reduce(std::span(data), tutti::sum);
  for (int call = 0; call < 100; ++call) plan();  // more than `measure` times
  std::printf("rank %d goes by %s\n", comm.rank(), std::string(plan.algorithm()).c_str());
  if (comm.rank() == 0) std::printf("%s", plan.explanation().c_str());
  return 0;
}

int node(tutti::Communicator& comm) {
  tutti::Communicator mine = comm.split_by_node();
  std::string text;
  for (const int rank : mine.all_gather(comm.rank())) text += " " + std::to_string(rank);
  std::printf("rank %d:%s\n", comm.rank(), text.c_str());
  return 0;
}

int all_reduce(tutti::Communicator& comm) {
  std::printf("rank %d: %d\n", comm.rank(), comm.all_reduce(1, tutti::sum));
  return 0;
}

int all_to_all_v(tutti::Communicator& comm) {
  const auto p = static_cast<std::size_t>(comm.size());
  const std::vector<int> in(p, comm.rank());
  const std::vector<std::int64_t> ones(p, 1);
  std::vector<int> out(p);
  comm.all_to_all_v(in, out, ones, ones);
  std::printf("rank %d: %d\n", comm.rank(), std::accumulate(out.begin(), out.end(), 0));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scenario = argc > 1 ? argv[1] : "choices";
  const char* const number = std::getenv("RANK_HERE");
  if (scenario == "choices" && number != nullptr && std::atoi(number) > 0) stay_on_one_core(std::atoi(number));
  try {
    tutti::Communicator& comm = tutti::world();
    if (scenario == "choices") return choices(comm);
    if (scenario == "algorithm") return algorithm(comm);
    if (scenario == "trial") return trial(comm);
    if (scenario == "node") return node(comm);
    return scenario == "all-reduce" ? all_reduce(comm) : all_to_all_v(comm);
  } catch (const tutti::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
