#include "app/reports/versus_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/command_line/terminal.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/user_program_request.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "verify/verify.hpp"

namespace tutti::app {
namespace {

bool is_known(const std::optional<CheapestAlgorithm>& best) { return best && best->priced.basis != Basis::none; }

std::string name_in_words(const CheapestAlgorithm& best) {
  const int segments = best.priced.parameters.segments;
  return fmt::format("{}{}, the best of {}", best.priced.algorithm->name,
                     segments == 0 ? "" : " in " + counted(segments, "segment"), best.candidates);
}

// Empty where one of the rows is as fast, but for one percent.
std::string faster_in_catalogue(const std::vector<std::pair<std::string, double>>& rows,
                                const CheapestAlgorithm& best) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [name, seconds] : rows) least = std::min(least, seconds);
  if (best.priced.seconds >= 0.99 * least) return {};
  return screen_text(fmt::format("Here the catalogue's {} is faster: it takes {:.2f} of the time.",
                                 best.priced.algorithm->name, best.priced.seconds / least));
}

}  // namespace

double simulated_seconds(const Schedule& schedule, const Topology& topology, const Machine& machine,
                         const SimulationOptions& traffic) {
  Workload workload(schedule, 1);
  return simulate(workload, topology, machine, traffic).seconds;
}

std::optional<CheapestAlgorithm> best_of_catalogue(const Problem& problem, const TopologyPtr& topology,
                                                   const Machine& machine, const TrafficRequest& traffic) {
  PricingRequest pricing{.problem = problem,
                         .topology = topology,
                         .machine = machine,
                         .algorithms = fitting_algorithms(problem, {}),
                         .traffic = options_of(traffic),
                         .beyond_forms = !beyond_forms(traffic).empty()};
  if (pricing.algorithms.empty()) return std::nullopt;
  return cheapest_algorithm(std::move(pricing));
}

std::string table_beside(std::vector<std::pair<std::string, double>> rows, const std::optional<CheapestAlgorithm>& best,
                         double least, const std::string& least_is) {
  std::vector<std::vector<std::string>> cells{{"SCHEDULE", "TIME", fmt::format("TIMES THE {}", least_is)}};
  std::string below;
  if (is_known(best)) {
    below = faster_in_catalogue(rows, *best);
    rows.emplace_back(name_in_words(*best), best->priced.seconds);
  } else if (best) {
    below = "All algorithms of the catalogue are too large to be priced in a moment.\n";
  }
  for (const auto& [name, seconds] : rows) {
    cells.push_back({name, text_of(Seconds{seconds}), least > 0 ? fmt::format("{:.3f}", seconds / least) : "-"});
  }
  return screen_table(cells) + below;
}

Json json_beside(const std::optional<CheapestAlgorithm>& best) {
  if (!is_known(best)) return nullptr;
  return Json{{"algorithm", best->priced.algorithm->name},
              {"basis", name_of(best->priced.basis)},
              {"seconds", best->priced.seconds},
              {"candidates", best->candidates}};
}

}  // namespace tutti::app
