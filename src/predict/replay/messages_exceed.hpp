/// @file
/// Early exit from pricing: the messages of a few ranks already cost more than a limit.
#pragma once

#include "predict/model/machine_costs.hpp"
#include "predict/model/node_link.hpp"
#include "predict/replay/call_sums.hpp"
#include "schedule/model/algorithm.hpp"

namespace tutti {

/// Whether the limit is_cheaper() than what the link of a node takes; `least` is no more of anything than there is.
/// Looks at no more ranks than one where that is not likely.
bool link_exceeds(double limit, NodeLink& link, Sums least, const LevelCosts& costs, int cores);

/// Whether the limit is_cheaper() than what the link of a node takes, or than what the sketch shows of a rank that the
/// estimate looks at; `least` is no more of anything than there is. Looks at no more ranks than one where the link is
/// not likely to take as much.
bool messages_exceed(double limit, NodeLink& link, const Claims& claims, const Sums& least, const LevelCosts& costs,
                     int cores);

}  // namespace tutti
