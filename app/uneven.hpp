/// @file
/// What algorithms take on a network where ranks come unevenly.
#pragma once

#include <string>
#include <vector>

#include "app/cheapest.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// What the choice takes in the engine of flows where ranks come, and combine, so unevenly; infinite where it has so
/// many messages that a simulation would take a second.
double simulated_unevenly(const Choice& choice, const Problem& problem, const Topology& topology,
                          const Machine& machine, const Layout& layout, const std::vector<Skew>& skews);

/// As algorithm_for(), by that, and with a word on which algorithm would be taken if all ranks came together.
Taken algorithm_unevenly(const Request& request, const Problem& problem, const TopologyPtr& topology,
                         const Machine& machine, const std::vector<Skew>& skews);

}  // namespace tutti::app
