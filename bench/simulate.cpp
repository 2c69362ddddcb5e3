/// @file
/// Speed of the simulator, and the growth of its time and memory with the number of ranks.
///
/// One core. A row is one simulation: recording the schedule, then letting it run; messages a second count the run
/// alone, as rivals' figures do. Rows go from small to large, so that the peak of memory is the row's own.

#include <fmt/format.h>

#include "bench/cases.hpp"
#include "simulate/simulate.hpp"
#include "topology/formats/named.hpp"

namespace tutti::bench {
namespace {

void measure(const Case& c, Engine engine) {
  const TopologyPtr network = topology_named(c.network);
  const int p = network->ranks();
  const double begin = processor_seconds();
  Workload workload(c.text(p), c.problem(p), 1);
  const double recorded = processor_seconds();
  const Simulation result = simulate(workload, *network, usual_machine(), {.engine = engine});
  const double ended = processor_seconds();
  fmt::print("{:<11} {:<19} {:<16} {:<6} {:>11} {:>9.3f} {:>9.3f} {:>12.2f} {:>9.0f} {:>6}\n", name_of(c.collective),
             c.algorithm, c.network, name_of(engine), result.messages, recorded - begin, ended - recorded,
             static_cast<double>(result.messages) / (ended - recorded) * 1e-6, peak_mebibytes(), result.most_shared);
}

}  // namespace
}  // namespace tutti::bench

int main() {
  using namespace tutti;
  using bench::Case;
  using enum Collective;
  fmt::print("{:<11} {:<19} {:<16} {:<6} {:>11} {:>9} {:>9} {:>12} {:>9} {:>6}\n", "COLLECTIVE", "ALGORITHM", "NETWORK",
             "ENGINE", "MESSAGES", "RECORD s", "RUN s", "M MESSAGES/s", "PEAK MiB", "SHARED");
  for (const int d : {10, 12, 14, 16}) {
    bench::measure({all_reduce, "recursive-doubling", fmt::format("hypercube:{}", d)}, Engine::flows);
    bench::measure({all_reduce, "recursive-doubling", fmt::format("hypercube:{}", d)}, Engine::rounds);
  }
  bench::measure({all_gather, "ring", "ring:1024"}, Engine::flows);
  for (const Engine engine : {Engine::flows, Engine::rounds}) {
    bench::measure({all_reduce, "recursive-doubling", "torus:32x32"}, engine);
    bench::measure({all_to_all, "pairwise", "torus:32x32"}, engine);
    bench::measure({all_reduce, "recursive-doubling", "ring:1024"}, engine);
  }
  bench::measure({broadcast, "binomial", "full:1048576"}, Engine::flows);
  bench::measure({broadcast, "binomial", "full:1400000"}, Engine::flows);
  bench::measure({all_reduce, "recursive-doubling", "full:1048576"}, Engine::flows);
  bench::measure({all_reduce, "recursive-doubling", "full:1400000"}, Engine::flows);
  for (const int d : {18, 20})
    bench::measure({all_reduce, "recursive-doubling", fmt::format("hypercube:{}", d)}, Engine::flows);
}
