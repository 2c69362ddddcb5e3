#include "app/options/simulation_options.hpp"

#include <algorithm>
#include <set>

#include "app/options/machine_options.hpp"
#include "base/check.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "pricing/placement.hpp"

namespace tutti::app {
namespace {

std::pair<int, Skew> parse_skew(std::string_view text) {
  const std::size_t colon = text.find(':');
  require(colon != std::string_view::npos, "a skew is RANK:TIME, RANK:xFACTOR or RANK:TIME:xFACTOR, not '{}'", text);
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::pair<int, Skew> result{static_cast<int>(parse_integer(text.substr(0, colon), "a skewed rank", 0, most)), {}};
  for (const std::string_view word : split(text.substr(colon + 1), ':')) {
    const std::string part(word);
    if (part.starts_with('x')) {
      std::size_t read = 0;
      try {
        result.second.slowness = std::stod(part.substr(1), &read);
      } catch (const std::exception&) {
        read = 0;
      }
      require(read > 0 && read + 1 == part.size() && result.second.slowness >= 1e-9 && result.second.slowness <= 1e9,
              "a rank is slower by a factor from 1e-9 to 1e9, such as x2, not '{}'", part);
    } else {
      result.second.start = parse_seconds(part).count;
    }
  }
  return result;
}

Engine parse_engine(std::string_view text) {
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    if (name_of(engine) == text) return engine;
  }
  fail(ErrorCode::invalid_argument, "the engines are 'flows' and 'rounds', not '{}'", text);
}

}  // namespace

void add_simulation(Command& command, Request& request, SimulationRequest& simulation) {
  add_machine(command, request, simulation.machine);
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help,
              [&simulation, read](const std::string& text) { read(simulation, text); });
  };
  add("--engine", "flows|rounds", "flows: ranks at their own pace (the default); rounds: all together",
      [](SimulationRequest& r, const std::string& text) { r.engine = parse_engine(text); });
  add_traffic(command, request, simulation);
  add("--embedding", "PLACES",
      "Where the ranks sit: gray (a ring or --grid in a hypercube), line (through a grid), or 0,2,1,3",
      [](SimulationRequest& r, const std::string& text) { r.embedding = text; });
  add("--skew", "RANK:TIME,…", "Ranks that start late, and with :xF combine F times slower: 3:5us,4:0s:x2",
      [](SimulationRequest& r, const std::string& text) { r.skew = parse_skews(text); });
}

TopologyPtr placed(const SimulationRequest& simulation, const TopologyPtr& topology, const std::optional<Shape>& grid) {
  if (!simulation.embedding) return topology;
  return placed(*simulation.embedding, topology, grid);
}

std::string_view beyond_forms(const SimulationRequest& simulation) {
  const bool alike = std::all_of(simulation.skew.begin(), simulation.skew.end(),
                                 [](const auto& skew) { return skew.second.start == 0 && skew.second.slowness == 1; });
  if (!alike) return "--skew";
  return beyond_forms(static_cast<const TrafficRequest&>(simulation));
}

std::vector<std::pair<int, Skew>> parse_skews(std::string_view text) {
  std::vector<std::pair<int, Skew>> skews;
  for (const std::string_view skew : split(text, ',')) skews.push_back(parse_skew(skew));
  return skews;
}

std::vector<Skew> skews_of(const std::vector<std::pair<int, Skew>>& skews, int ranks) {
  std::vector<Skew> by_rank(static_cast<std::size_t>(ranks));
  std::set<int> skewed;
  for (const auto& [rank, skew] : skews) {
    require(rank < ranks, "the skewed rank {} is not one of the ranks 0 to {}", rank, ranks - 1);
    require(skewed.insert(rank).second, "the skew of rank {} is said twice; leave one of the two out", rank);
    by_rank[static_cast<std::size_t>(rank)] = skew;
  }
  return by_rank;
}

SimulationOptions options_of(const SimulationRequest& simulation, int ranks) {
  SimulationOptions options = options_of(static_cast<const TrafficRequest&>(simulation));
  options.engine = simulation.engine;
  if (simulation.skew.empty()) return options;
  options.skew = skews_of(simulation.skew, ranks);
  return options;
}

}  // namespace tutti::app
