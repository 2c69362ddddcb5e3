/// @file
/// The two engines behind simulate(), and what they share.
#pragma once

#include "simulate/meeting.hpp"
#include "simulate/simulate.hpp"

namespace tutti {

Simulation simulate_rounds(Workload& workload, const Topology& topology, const Machine& machine,
                           const SimulationOptions& options);
Simulation simulate_flows(Workload& workload, const Topology& topology, const Machine& machine,
                          const SimulationOptions& options);

/// What simulate_flows would return, found faster; nothing where messages wait for ports, share links or choose their
/// way.
std::optional<Simulation> simulate_uncontended(Workload& workload, const Topology& topology, const Machine& machine,
                                               const SimulationOptions& options);

/// Seconds in which `rank` combines `bytes`.
double combining_time(const Machine& machine, const SimulationOptions& options, int rank, std::int64_t bytes);

/// Throws `Error(unsupported)` naming the ranks that still wait, if any do.
void refuse_stall(const Ranks& ranks);

}  // namespace tutti
