/// @file
/// Hops of an all-to-all on a network: how many of its messages go over how many links.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/descriptions.hpp"
#include "topology/topology.hpp"

namespace tutti::app {

/// Messages between all pairs of different ranks, by the links of the network's own routes.
struct HopCounts {
  std::vector<std::int64_t> messages;       ///< [d]: messages over d links
  std::int64_t total = 0;                   ///< links that all of them cross
  double mean = 0;                          ///< links of a message
  std::optional<double> mean_one_way = {};  ///< on a ring: if all messages go one way round
};

/// Nothing for so many ranks that counting takes long, or for one rank.
std::optional<HopCounts> hops_of(const Topology& topology);

/// "14 messages over 1 link, 12 over 2, …: 168 links in all, 3 on average"
std::string in_words(const HopCounts& hops);
/// {"messages", "total", "mean", "mean_one_way"}
Json json_of(const HopCounts& hops);

}  // namespace tutti::app
