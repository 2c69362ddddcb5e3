/// @file
/// The options that say how a schedule is simulated, beside its network.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/options/request.hpp"
#include "app/options/traffic_options.hpp"
#include "simulate/simulate.hpp"
#include "topology/families/families.hpp"

namespace tutti::app {

/// Values of the options; `skew` is by rank, and not checked against the number of ranks yet.
struct SimulationRequest : TrafficRequest {
  Machine machine;
  Engine engine = Engine::flows;
  std::vector<std::pair<int, Skew>> skew = {};
  std::optional<std::string> embedding = {};
};

/// Adds --engine, --embedding, --skew, those of traffic (add_traffic()) and the machine's (add_machine()).
void add_simulation(Command& command, Request& request, SimulationRequest& simulation);

/// The network with its ranks where --embedding puts them. Throws `Error` for a place that it does not have.
TopologyPtr placed(const SimulationRequest& simulation, const TopologyPtr& topology, const std::optional<Shape>& grid);

/// Returns the option that closed forms do not know, "--skew", if one says that ranks or messages are unlike those of
/// the textbook; empty: none.
std::string_view beyond_forms(const SimulationRequest& simulation);

/// "3:5us" starts rank 3 after 5 us; "3:x2" makes it combine half as fast; both: "3:5us:x2"; several: "1:5us,3:x2".
std::vector<std::pair<int, Skew>> parse_skews(std::string_view text);
/// By rank, of so many. Throws `Error` where a skewed rank is none of them.
std::vector<Skew> skews_of(const std::vector<std::pair<int, Skew>>& skews, int ranks);

/// The simulator's options for so many ranks. Throws `Error` where a skewed rank is none of them.
SimulationOptions options_of(const SimulationRequest& simulation, int ranks);

}  // namespace tutti::app
