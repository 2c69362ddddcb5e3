#include "app/uneven.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <string_view>

#include "app/nodes.hpp"
#include "base/units.hpp"

namespace tutti::app {

double simulated_unevenly(const Choice& choice, const Problem& problem, const Topology& topology,
                          const Machine& machine, const Layout& layout, const SimulationOptions& options) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 18;
  if (recorded_size(choice, problem, layout).effort() > most_messages) return std::numeric_limits<double>::infinity();
  Workload workload(choice, problem, 1, layout);
  return simulate(workload, topology, machine, options).seconds;
}

namespace {

Taken fastest_simulated(const Request& request, const SimulationRequest& simulation, const Problem& problem,
                        const TopologyPtr& topology) {
  const Taken even = algorithm_for(request, problem, topology, simulation.machine);
  if (request.algorithm) return even;
  const Layout layout = layout_of(request);
  const SimulationOptions options = options_of(simulation, problem.ranks);
  const Algorithm* best = even.algorithm;
  double least = std::numeric_limits<double>::infinity();
  int simulated = 0;
  for (const Algorithm* algorithm : fitting_algorithms(problem, layout)) {
    const double seconds = simulated_unevenly({*algorithm, parameters_of(request)}, problem, *topology,
                                              simulation.machine, layout, options);
    if (seconds < std::numeric_limits<double>::infinity()) ++simulated;
    if (seconds >= least) continue;
    least = seconds;
    best = algorithm;
  }
  if (simulated == 0) return even;
  const std::string_view by = beyond_forms(simulation);
  const bool late = by == "--skew";
  const std::string without = late ? "if all ranks came together" : "without it, by price";
  const std::string other = best == even.algorithm ? fmt::format("as it would be {}", without)
                                                   : fmt::format("{}, {} would be", without, even.algorithm->name);
  return {best, parameters_of(request),
          fmt::format("{} is the fastest of {} that were simulated with {}; {}; --algorithm NAME takes another",
                      best->name, simulated, late ? "that skew" : by, other)};
}

}  // namespace

bool by_price(const SimulationRequest& simulation) {
  const std::string_view beyond = beyond_forms(simulation);
  return beyond.empty() || (beyond == "--skew" && simulation.engine == Engine::rounds);
}

Taken algorithm_simulated(const Request& request, const SimulationRequest& simulation, const Problem& problem,
                          const TopologyPtr& topology) {
  if (by_price(simulation)) return algorithm_for(request, problem, topology, simulation.machine);
  return fastest_simulated(request, simulation, problem, topology);
}

}  // namespace tutti::app
