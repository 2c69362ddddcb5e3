/// @file
/// Uneven calls: times of algorithms where ranks come at different times or other traffic shares the links, so that
/// prices of even calls do not hold.
#pragma once

#include "schedule/model/choice.hpp"
#include "simulate/simulate.hpp"

namespace tutti {

/// Returns the seconds of the choice in a simulation with these options; infinite if it has so many messages that it
/// would take a second.
double simulated_unevenly(const Choice& choice, const Problem& problem, const Topology& topology,
                          const Machine& machine, const Layout& layout, const SimulationOptions& options);

}  // namespace tutti
