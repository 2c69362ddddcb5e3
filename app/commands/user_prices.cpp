/// @file
/// `tutti price schedule FILE`: a schedule beside the lower bound and the catalogue.

#include <fmt/format.h>

#include "app/command_line/terminal.hpp"
#include "app/commands/user_commands.hpp"
#include "app/options/user_program_request.hpp"
#include "app/reports/versus_catalogue.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "cost/bounds/lower_bound.hpp"

namespace tutti::app {
namespace {

// No bound and no algorithm of the catalogue is of a custom collective.
std::string custom_price(bool json, const UserProgram& own, const Topology& topology, double seconds) {
  if (json) {
    return Json{{"title", own.title}, {"topology", topology.name()}, {"ranks", own.schedule.problem.ranks},
                {"seconds", seconds}, {"lower_bound", nullptr},      {"catalogue", nullptr}}
               .dump(2) +
           '\n';
  }
  return screen_text(
      fmt::format("{} on {} takes {}; for a custom collective there is neither a bound nor an algorithm "
                  "of the catalogue",
                  own.title, topology.name(), text_of(Seconds{seconds})));
}

}  // namespace

Outcome price_user_program(const Request& request, const Machine& machine, const TrafficRequest& traffic) {
  require(request.user_kind == UserKind::schedule,
          "prices are of collectives, or of one's own schedules: tutti price schedule FILE.json; of messages and "
          "programs 'tutti simulate' says the time");
  check(machine);
  const UserProgram own = user_program(request);
  const std::string& file = request.user_words.front();
  std::vector<std::string> notes = own.notes;
  if (const auto failure = failure_of(own)) {
    if (!is_of_bits_alone(*failure)) fail(ErrorCode::unsupported, "{}", describe(*failure));
    notes.push_back(note_on_bits(*failure, file));
  }
  const Problem& problem = own.schedule.problem;
  const TopologyPtr topology = request.topology ? request.topology : full_topology(problem.ranks);
  const double seconds = simulated_seconds(own.schedule, *topology, machine, options_of(traffic));
  if (!own.solves_problem) return {custom_price(request.json, own, *topology, seconds), 0, notes};
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
                '\n',
            0, notes};
  }
  return {screen_text(fmt::format("{} on {}: no schedule takes less than {} ({}: {})", own.title, topology->name(),
                                  text_of(Seconds{bound.seconds}), bound.name, bound.reason)) +
              table_beside({{file, seconds}}, best, bound.seconds, "BOUND"),
          0, notes};
}

}  // namespace tutti::app
