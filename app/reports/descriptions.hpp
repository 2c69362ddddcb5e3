/// @file
/// Algorithms, collectives, nodes and traffic in words, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "base/text/table.hpp"
#include "schedule/model/algorithm.hpp"
#include "simulate/simulate.hpp"
#include "topology/topology.hpp"

namespace tutti::app {

/// JSON whose fields keep the order in which they are written.
using Json = nlohmann::ordered_json;

/// Describes the collective in one sentence; m is `Problem::count`.
std::string_view meaning_of(Collective collective);

/// "Also called total-exchange, complete-exchange."
std::string also_called(Collective collective);

/// "recursive-doubling, hypercube"; empty without aliases.
std::string aliases_in_words(const Algorithm& algorithm);

/// The closed form of its time on fully connected ranks, such as "ceil(log2 p)(ts + m tw)".
std::string_view formula_of(const Algorithm& algorithm);

/// {"collective", "name", "aliases", "needs", "summary", "when", "time", "source"}
Json json_of(const Algorithm& algorithm);

/// A node as tables have it: a rank's number, and "S3" for a switch.
std::string node_in_words(const Topology& topology, int node);

/// {"routing", "routing_seed", "background", "background_seed", "injection", "eager"}.
Json json_of_traffic(const SimulationOptions& traffic);

}  // namespace tutti::app
