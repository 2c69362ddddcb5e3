/// @file
/// Traffic between nodes in words and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "app/reports/descriptions.hpp"
#include "schedule/model/node_traffic.hpp"

namespace tutti::app {

/// Returns the traffic between nodes as a line, then a table of what each node sends and receives. `in_words` returns
/// the size of the elements of so many messages: "8 elements", "64KiB".
std::string text_of(const NodeTraffic& traffic, const Layout& layout, int ranks,
                    std::string (*in_words)(std::int64_t elements));

/// [{"ranks": [0, 1, 2], "within": {"messages", UNIT}, "sent": {…}, "received": {…}}, …], by node; UNIT is "elements"
/// or "bytes".
Json json_of(const NodeTraffic& traffic, const Layout& layout, int ranks, const std::string& unit);

}  // namespace tutti::app
