#include "pricing/uneven.hpp"

#include <limits>

namespace tutti {

double simulated_unevenly(const Choice& choice, const Problem& problem, const Topology& topology,
                          const Machine& machine, const Layout& layout, const SimulationOptions& options) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 18;
  if (recorded_size(choice, problem, layout).effort() > most_messages) return std::numeric_limits<double>::infinity();
  Workload workload(choice, problem, 1, layout);
  return simulate(workload, topology, machine, options).seconds;
}

}  // namespace tutti
