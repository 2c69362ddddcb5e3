/// @file
/// The options that say how messages are routed, and what else shares the network with them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "app/meaning.hpp"
#include "app/options.hpp"
#include "simulate/simulate.hpp"
#include "topology/graph.hpp"

namespace tutti::app {

struct TrafficRequest {
  Routing routing = Routing::own;
  unsigned routing_seed = 0;
  Background background = {};
  double injection = 0;  ///< seconds a byte
  std::optional<std::int64_t> eager = {};
};

/// The names of the options that the command line gave, without dashes.
using GivenTraffic = std::shared_ptr<std::set<std::string>>;

/// Adds --routing, --background, --injection and --eager to the request's values. Those that are not given are taken
/// from the request's network file, where it has them.
GivenTraffic add_traffic(Command& command, Request& request, TrafficRequest& traffic);

/// Takes what a network file says, but what is in `given`. Throws `Error` naming file, key, value and remedy.
void take_traffic(TrafficRequest& traffic, const TrafficWords& words, const std::set<std::string>& given,
                  const std::string& file);

/// Which of the options closed forms do not know: "--routing"; empty: none is used.
std::string_view beyond_forms(const TrafficRequest& traffic);

/// The simulator's options that say the same.
SimulationOptions options_of(const TrafficRequest& traffic);

/// As a network's file says them.
TrafficWords words_of(const SimulationOptions& traffic);

/// "routing ecmp, 16 messages in the background"; empty where nothing is said.
std::string traffic_in_words(const SimulationOptions& traffic);
Json json_of_traffic(const SimulationOptions& traffic);

}  // namespace tutti::app
