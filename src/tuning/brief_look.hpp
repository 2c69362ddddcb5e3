/// @file
/// Brief look at a machine: a few calls of each kind, measured twice within a quarter of a second.
#pragma once

#include "predict/profile/calibration.hpp"
#include "tutti/communicator.hpp"

namespace tutti {

/// Measures calls over the ranks of the communicator, as costs `built_in` choose them. A collective call; its result is
/// valid on rank 0.
BriefLook look_briefly(Communicator& comm, const MachineCosts& built_in);

}  // namespace tutti
