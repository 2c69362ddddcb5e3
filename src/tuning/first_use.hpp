/// @file
/// First use of a machine: measures the costs of processes there, once and briefly.
#pragma once

#include <string>

#include "predict/profile/calibration.hpp"
#include "tutti/communicator.hpp"

namespace tutti {

/// Calibrates a machine that has no profile yet: measures for at most 0.3 s what two processes cost, and stores what
/// quick_calibration() makes of it in own_profile_file(). To be called before `ranks` ranks are started. A profile of
/// one's own without costs of processes, as one to which only winners of trials were added, counts as none. The
/// calibration happens once for a machine: the file is made before anything is measured, so that of programs which
/// start at the same time one measures, and a calibration that is cut short is not tried again.
///
/// Does nothing where TUTTI_PROFILE names the profile to choose by, where an administrator's profile has the costs of
/// processes or is the only one, where the file cannot be made, for one rank, on one core, and for more ranks than a
/// person looks on. Never throws, and leaves no process behind.
void look_at_new_machine(int ranks) noexcept;

/// Measures the costs, over two ranks. A collective call; its result is valid on rank 0.
QuickCalibration look_briefly(Communicator& comm);

}  // namespace tutti
