/// @file
/// Schedules that no algorithm of the catalogue has made, beside the catalogue.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cheapest.hpp"
#include "app/meaning.hpp"
#include "app/traffic_options.hpp"

namespace tutti::app {

/// What a schedule takes in virtual time, an element being a byte.
double simulated_seconds(const Schedule& schedule, const Topology& topology, const Machine& machine,
                         const SimulationOptions& traffic = {});

/// The best algorithm for the problem on that network; nothing where the catalogue has none that fits.
std::optional<BestOffer> best_of_catalogue(const Problem& problem, const TopologyPtr& topology, const Machine& machine,
                                           const TrafficRequest& traffic = {});

/// Names and seconds, and behind them the best of the catalogue, each with how many times the least it is; then a line
/// where the best of the catalogue is faster than all rows.
std::string table_beside(std::vector<std::pair<std::string, double>> rows, const std::optional<BestOffer>& best,
                         double least, const std::string& least_is);

/// {"algorithm", "basis", "seconds", "candidates"}, or null.
Json json_beside(const std::optional<BestOffer>& best);

}  // namespace tutti::app
