/// @file
/// Simulations as runs whose symbolic times are asked for.
#pragma once

#include "cost/symbolic/probe.hpp"
#include "schedule/model/choice.hpp"
#include "simulate/simulate.hpp"
#include "topology/families/families.hpp"

namespace tutti {

/// Returns the least count, or one close to it, that the ranks and the algorithm's segments divide: m of a symbolic
/// time, which is no matter of bytes that are left over.
std::int64_t symbolic_count(const Choice& choice, const Problem& problem);

/// Returns the simulation of the choice for symbolic_count() elements of a byte each; of a problem whose blocks differ
/// for the counts that it has, m being all of them together. With cut-through th is a symbol, also where it is 0.
ProbedRun probed_run(const Choice& choice, const Problem& problem, const TopologyPtr& topology, const Machine& machine,
                     const Layout& layout, const SimulationOptions& options);

/// Returns the simulation of a schedule whose elements are bytes, m being the greatest common divisor of its messages.
/// Computing is counted by itself: a tc for each byte that is combined, which is a symbol also where it is 0.
ProbedRun probed_run(const Schedule& schedule, const TopologyPtr& topology, const Machine& machine,
                     const SimulationOptions& options);

}  // namespace tutti
