#include "app/uneven.hpp"

#include <fmt/format.h>

#include <limits>

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

Taken algorithm_unevenly(const Request& request, const Problem& problem, const TopologyPtr& topology,
                         const Machine& machine, const SimulationOptions& options, std::string_view by) {
  const Taken even = algorithm_for(request, problem, topology, machine);
  if (request.algorithm) return even;
  const Layout layout = layout_of(request);
  const Algorithm* best = even.algorithm;
  double least = std::numeric_limits<double>::infinity();
  int simulated = 0;
  for (const Algorithm* algorithm : fitting_algorithms(problem, layout)) {
    const double seconds =
        simulated_unevenly({*algorithm, parameters_of(request)}, problem, *topology, machine, layout, options);
    if (seconds < std::numeric_limits<double>::infinity()) ++simulated;
    if (seconds >= least) continue;
    least = seconds;
    best = algorithm;
  }
  if (simulated == 0) return even;
  const bool late = by == "--skew";
  const std::string without = late ? "if all ranks came together" : "without it, by price";
  const std::string other = best == even.algorithm ? fmt::format("as it would be {}", without)
                                                   : fmt::format("{}, {} would be", without, even.algorithm->name);
  return {best, parameters_of(request),
          fmt::format("{} is the fastest of {} that were simulated with {}; {}; --algorithm NAME takes another",
                      best->name, simulated, late ? "that skew" : by, other)};
}

}  // namespace tutti::app
