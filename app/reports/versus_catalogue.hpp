/// @file
/// Schedules that no algorithm of the catalogue has made, beside the catalogue.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/options/traffic_options.hpp"
#include "app/reports/descriptions.hpp"
#include "pricing/cheapest.hpp"

namespace tutti::app {

/// Returns the seconds of a schedule in virtual time, an element being a byte.
double simulated_seconds(const Schedule& schedule, const Topology& topology, const Machine& machine,
                         const SimulationOptions& traffic = {});

/// The best algorithm for the problem on that network; nothing where the catalogue has none that fits.
std::optional<CheapestAlgorithm> best_of_catalogue(const Problem& problem, const TopologyPtr& topology,
                                                   const Machine& machine, const TrafficRequest& traffic = {});

/// Names and seconds, and behind them the best of the catalogue, each with how many times the least it is; then a line
/// where the best of the catalogue is faster than all rows.
std::string table_beside(std::vector<std::pair<std::string, double>> rows, const std::optional<CheapestAlgorithm>& best,
                         double least, const std::string& least_is);

/// {"algorithm", "basis", "seconds", "candidates"}, or null.
Json json_beside(const std::optional<CheapestAlgorithm>& best);

}  // namespace tutti::app
