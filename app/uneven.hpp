/// @file
/// What algorithms take on a network where prices do not hold: ranks come unevenly, others share the links, …
#pragma once

#include "app/cheapest.hpp"
#include "app/simulation_options.hpp"

namespace tutti::app {

/// What the choice takes in a simulation with these options; infinite where it has so many messages that it would take
/// a second.
double simulated_unevenly(const Choice& choice, const Problem& problem, const Topology& topology,
                          const Machine& machine, const Layout& layout, const SimulationOptions& options);

/// Whether prices know all that the options say, so that an algorithm can be taken by them.
bool by_price(const SimulationRequest& simulation);

/// As algorithm_for(), on the network with its ranks in their places; where prices do not know what the options say, by
/// simulations, and with a word on which algorithm would be taken without the option. Throws `Error` where a skewed
/// rank is none of the problem's.
Taken algorithm_simulated(const Request& request, const SimulationRequest& simulation, const Problem& problem,
                          const TopologyPtr& topology);

}  // namespace tutti::app
