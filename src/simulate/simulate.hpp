/// @file
/// Virtual time: what a schedule takes on a network.
#pragma once

#include "simulate/simulation.hpp"
#include "simulate/workload.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// Throws `Error(invalid_argument)` where the network has another number of ranks.
void check_ranks(int ranks, const Topology& topology);

/// Lets the workload run on the network; rank r sits on the network's rank r. The workload's marks are used up.
///
/// Sends are unbuffered, but for eager ones: a message begins when both sides have come to it and, with single ports,
/// neither is busy with another; a message to a chain may come before the chain has come to it, but keeps its sender
/// until then. Of several that could begin, the one that was ready first does, then the one from the lowest rank, so
/// the result does not depend on the order in which simultaneous events are handled.
///
/// A simulation may be given up, as the options' limits say: `is_whole` tells.
///
/// Throws `Error(invalid_argument)` where network and workload differ in ranks, a message should make a detour by load
/// where each pair of ranks has its own link, background traffic has one rank alone, a parameter is out of range, there
/// is no such send to keep back, or a rank or a message is to begin late in rounds, and `Error(unsupported)` naming the
/// waiting ranks where the schedule cannot be completed.
/// Cost: O(messages) without congestion, with a search of the receiver's step for each; with it, each change of flows
/// costs the links of the flows that it touches, directly or through others.
Simulation simulate(Workload& workload, const Topology& topology, const Machine& machine,
                    const SimulationOptions& options = {});

}  // namespace tutti
