/// @file
/// Size limits: refuses schedules that are too large to simulate.
#pragma once

#include "cost/closed_form.hpp"
#include "schedule/model/choice.hpp"
#include "topology/topology.hpp"

namespace tutti {

/// Throws `Error(unsupported)` where simulating the choice would take more than some minutes or gigabytes. The error
/// says how many messages or blocks there are, what the limit is, and what would fit: an algorithm with fewer of them,
/// fewer ranks, or the closed form, where `topology` and `machine` have one.
void check_simulable(const Choice& choice, const Problem& problem, const Layout& layout, const Topology& topology,
                     const Machine& machine);

}  // namespace tutti
