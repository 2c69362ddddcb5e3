/// @file
/// The options that say how messages are routed, and what else shares the network with them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "app/options/request.hpp"
#include "app/options/traffic_request.hpp"

namespace tutti::app {

/// The names of the options that the command line gave, without dashes.
using GivenTraffic = std::shared_ptr<std::set<std::string>>;

/// Adds --routing, --background, --injection and --eager to the request's values. Those that are not given are taken
/// from the request's network file, where it has them.
GivenTraffic add_traffic(Command& command, Request& request, TrafficRequest& traffic);

}  // namespace tutti::app
