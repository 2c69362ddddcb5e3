/// @file
/// Times by the ways that messages take: where a network has several shortest ones, the answer depends on the choice.
#pragma once

#include <optional>
#include <vector>

#include "cost/symbolic/time_cases.hpp"
#include "simulate/simulate.hpp"
#include "topology/shortest_ways.hpp"

namespace tutti {

/// All choices of ways by which a run takes the same time.
struct WayOutcome {
  TimeCases cases;
  std::size_t choices = 0;            ///< their number
  std::vector<Detour> example;        ///< one of these choices: the ways of all pairs of ranks
  int most_shared = 1;                ///< the most messages on a link at a time
  std::optional<LinkId> shared = {};  ///< the first link that is on the ways of several pairs, in one direction
};

/// Returns the outcomes of a schedule of bytes over all choices of shortest ways for its pairs of ranks, the least
/// time, for the machine and the schedule's own messages, first. Empty where no pair has a choice, and where there are
/// more than 1024.
std::vector<WayOutcome> outcomes_by_way(const Schedule& schedule, const TopologyPtr& topology, const Machine& machine,
                                        const SimulationOptions& options);

}  // namespace tutti
