#include "app/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/commands.hpp"
#include "app/network.hpp"
#include "app/own_commands.hpp"
#include "app/terminal.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "verify/verify.hpp"

namespace tutti::app {
namespace {

bool is_known(const std::optional<BestOffer>& best) { return best && best->offer.basis != Basis::none; }

std::string name_in_words(const BestOffer& best) {
  const int segments = best.offer.parameters.segments;
  return fmt::format("{}{}, the best of {}", best.offer.algorithm->name,
                     segments == 0 ? "" : " in " + counted(segments, "segment"), best.candidates);
}

// Empty where one of the rows is as fast, but for one percent.
std::string faster_in_catalogue(const std::vector<std::pair<std::string, double>>& rows, const BestOffer& best) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [name, seconds] : rows) least = std::min(least, seconds);
  if (best.offer.seconds >= 0.99 * least) return {};
  return screen_text(fmt::format("Here the catalogue's {} is faster: it takes {:.2f} of the time.",
                                 best.offer.algorithm->name, best.offer.seconds / least));
}

}  // namespace

double simulated_seconds(const Schedule& schedule, const Topology& topology, const Machine& machine,
                         const SimulationOptions& traffic) {
  Workload workload(schedule, 1);
  return simulate(workload, topology, machine, traffic).seconds;
}

std::optional<BestOffer> best_of_catalogue(const Problem& problem, const TopologyPtr& topology, const Machine& machine,
                                           const TrafficRequest& traffic) {
  Question question{.problem = problem,
                    .topology = topology,
                    .machine = machine,
                    .algorithms = fitting_algorithms(problem, {}),
                    .traffic = options_of(traffic),
                    .beyond_forms = !beyond_forms(traffic).empty()};
  if (question.algorithms.empty()) return std::nullopt;
  return best_offer(std::move(question));
}

std::string table_beside(std::vector<std::pair<std::string, double>> rows, const std::optional<BestOffer>& best,
                         double least, const std::string& least_is) {
  std::vector<std::vector<std::string>> cells{{"SCHEDULE", "TIME", fmt::format("TIMES THE {}", least_is)}};
  std::string below;
  if (is_known(best)) {
    below = faster_in_catalogue(rows, *best);
    rows.emplace_back(name_in_words(*best), best->offer.seconds);
  } else if (best) {
    below = "All algorithms of the catalogue are too large to be priced in a moment.\n";
  }
  for (const auto& [name, seconds] : rows) {
    cells.push_back({name, text_of(Seconds{seconds}), least > 0 ? fmt::format("{:.3f}", seconds / least) : "-"});
  }
  return screen_table(cells) + below;
}

Json json_beside(const std::optional<BestOffer>& best) {
  if (!is_known(best)) return nullptr;
  return Json{{"algorithm", best->offer.algorithm->name},
              {"basis", name_of(best->offer.basis)},
              {"seconds", best->offer.seconds},
              {"candidates", best->candidates}};
}

Outcome price_own(const Request& request, const Machine& machine, const TrafficRequest& traffic) {
  require(request.own == OwnKind::schedule,
          "prices are of collectives, or of one's own schedules: tutti price schedule FILE.json; of messages and "
          "programs 'tutti simulate' says the time");
  check(machine);
  const OwnProgram own = own_program(request);
  if (const auto failure = verify(own.schedule).failure) fail(ErrorCode::unsupported, "{}", describe(*failure));
  const Problem& problem = own.schedule.problem;
  const TopologyPtr topology = request.topology ? request.topology : full_topology(problem.ranks);
  const double seconds = simulated_seconds(own.schedule, *topology, machine, options_of(traffic));
  const LowerBound bound = lower_bound(problem, 1, *topology, machine, traffic.injection);
  const auto best = best_of_catalogue(problem, topology, machine, traffic);
  if (request.json) {
    return {Json{{"title", own.title},
                 {"topology", topology->name()},
                 {"ranks", problem.ranks},
                 {"seconds", seconds},
                 {"lower_bound", {{"seconds", bound.seconds}, {"name", bound.name}, {"reason", bound.reason}}},
                 {"catalogue", json_beside(best)}}
                .dump(2) +
            '\n'};
  }
  return {screen_text(fmt::format("{} on {}: no schedule takes less than {} ({}: {})", own.title, topology->name(),
                                  text_of(Seconds{bound.seconds}), bound.name, bound.reason)) +
          table_beside({{request.own_words.front(), seconds}}, best, bound.seconds, "BOUND")};
}

}  // namespace tutti::app
