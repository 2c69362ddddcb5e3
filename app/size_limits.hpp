/// @file
/// How much of a schedule the command simulates.
#pragma once

#include "cost/closed_form.hpp"
#include "schedule/choice.hpp"
#include "topology/topology.hpp"

namespace tutti::app {

/// Throws `Error(unsupported)` where simulating the choice would take more than some minutes or gigabytes. The sentence
/// says how many messages or blocks there are, what the limit is, and what would do: an algorithm with fewer of them,
/// fewer ranks, or the closed form, where `topology` and `machine` have one.
void check_simulable(const Choice& choice, const Problem& problem, const Layout& layout, const Topology& topology,
                     const Machine& machine);

}  // namespace tutti::app
