/// @file
/// Picture of a schedule that is refused: its steps up to the one that goes wrong, or the circle of ranks that wait.
#pragma once

#include <string>

#include "schedule/model/schedule.hpp"
#include "topology/topology.hpp"
#include "verify/failure.hpp"

namespace tutti::app {

/// Returns the picture as SVG, with the failure in words below it. `name` stands in its title.
std::string mistake_picture(const std::string& name, const Schedule& schedule, const ProofFailure& failure,
                            const Topology& topology);

}  // namespace tutti::app
