#include "app/options/selected_algorithm.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "app/options/node_options.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "pricing/cheapest.hpp"
#include "pricing/uneven.hpp"

namespace tutti::app {
namespace {

std::string reason(const CheapestAlgorithm& found) {
  const auto& [best, candidates, unknown, if_connected, simulation] = found;
  constexpr std::string_view remedy = "--algorithm NAME takes another";
  const std::string_view name = best.algorithm->name;
  if (if_connected)
    return fmt::format(
        "{} would be the cheapest of {} if each pair of ranks had its own link, by closed forms: all are too large to "
        "be "
        "priced on this network in a moment; {}",
        name, candidates, remedy);
  if (best.basis == Basis::none)
    return fmt::format("{} is the catalogue's first: all are too large to be priced in a moment; {}", name, remedy);
  const std::string passed = unknown == 0 ? "" : fmt::format(" ({} too large to be priced in a moment)", unknown);
  const int segments = best.parameters.segments;
  return fmt::format("{}{} is the cheapest of {} here{}; {}", name,
                     segments == 0 ? "" : " in " + counted(segments, "segment"), candidates, passed, remedy);
}

SelectedAlgorithm fastest_simulated(const Request& request, const SimulationRequest& simulation, const Problem& problem,
                                    const TopologyPtr& topology) {
  const SelectedAlgorithm even = algorithm_for(request, problem, topology, simulation.machine);
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

SelectedAlgorithm algorithm_for(const Request& request, const Problem& problem, const TopologyPtr& topology,
                                const Machine& machine) {
  const Layout layout = layout_of(request);
  if (request.algorithm) return {&algorithms::fitting(problem, *request.algorithm, layout), parameters_of(request), {}};
  PricingRequest question{.problem = problem,
                          .topology = topology,
                          .machine = machine,
                          .algorithms = fitting_algorithms(problem, layout),
                          .parameters = parameters_of(request),
                          .layout = layout};
  require(!question.algorithms.empty(), "no algorithm fits {}", describe(problem));
  const CheapestAlgorithm best = cheapest_algorithm(std::move(question));
  return {best.priced.algorithm, best.priced.parameters, reason(best), best.simulation};
}

bool by_price(const SimulationRequest& simulation) {
  const std::string_view beyond = beyond_forms(simulation);
  return beyond.empty() || (beyond == "--skew" && simulation.engine == Engine::rounds);
}

SelectedAlgorithm algorithm_simulated(const Request& request, const SimulationRequest& simulation,
                                      const Problem& problem, const TopologyPtr& topology) {
  if (by_price(simulation)) return algorithm_for(request, problem, topology, simulation.machine);
  return fastest_simulated(request, simulation, problem, topology);
}

}  // namespace tutti::app
