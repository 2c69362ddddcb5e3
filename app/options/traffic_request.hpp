/// @file
/// Routing of messages and other traffic, as options and files of networks say them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "simulate/simulate.hpp"
#include "topology/graph.hpp"

namespace tutti::app {

/// Values of the options of traffic.
struct TrafficRequest {
  Routing routing = Routing::own;
  unsigned routing_seed = 0;
  Background background = {};
  double injection = 0;  ///< seconds a byte
  std::optional<std::int64_t> eager = {};
};

/// Sets what the key says: "routing", "background", "injection" or "eager". Throws `Error` for a text that says nothing.
void set_traffic(TrafficRequest& traffic, std::string_view key, const std::string& text);

/// Takes what a network file says, but what is in `given`. Throws `Error` naming file, key, value and remedy.
void take_traffic(TrafficRequest& traffic, const TrafficWords& words, const std::set<std::string>& given,
                  const std::string& file);

/// Returns the option that closed forms do not know: "--routing"; empty: none is used.
std::string_view beyond_forms(const TrafficRequest& traffic);

/// The simulator's options that say the same.
SimulationOptions options_of(const TrafficRequest& traffic);

/// Returns the traffic in the words of a network's file.
TrafficWords words_of(const SimulationOptions& traffic);

}  // namespace tutti::app
