/// @file
/// What algorithms take on a network where prices do not hold: ranks come unevenly, others share the links, …
#pragma once

#include <string>
#include <string_view>

#include "app/cheapest.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// What the choice takes in a simulation with these options; infinite where it has so many messages that it would take
/// a second.
double simulated_unevenly(const Choice& choice, const Problem& problem, const Topology& topology,
                          const Machine& machine, const Layout& layout, const SimulationOptions& options);

/// As algorithm_for(), by that, and with a word on which algorithm would be taken without the option `by`, such as
/// "--skew".
Taken algorithm_unevenly(const Request& request, const Problem& problem, const TopologyPtr& topology,
                         const Machine& machine, const SimulationOptions& options, std::string_view by);

}  // namespace tutti::app
