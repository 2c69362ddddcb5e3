/// @file
/// First use of a machine: measures the costs of threads or of processes there, once and briefly.
#pragma once

#include <string>

#include "predict/profile/calibration.hpp"
#include "tutti/communicator.hpp"

namespace tutti {

/// Calibrates a machine whose profile lacks the costs of threads or of processes, as `transport` says: measures for at
/// most 0.3 s what they cost, and stores what quick_calibration() makes of it in own_profile_file(). To be called
/// before `ranks` ranks are started, by a process of the command that has no other threads. The calibration happens
/// once for a machine and transport: the file says so before anything is measured, so that of programs which start at
/// the same time one measures, and a calibration that is cut short is not tried again.
///
/// Does nothing for other transports, where TUTTI_PROFILE names the profile to choose by, where an administrator's
/// profile has the costs or is the only one, where the file cannot be made, for one rank, on one core, and for more
/// ranks than a person looks on. Never throws, and leaves no process behind.
void look_at_new_machine(Transport transport, int ranks) noexcept;

/// Measures calls over the ranks of the communicator, as costs `built_in` choose them. A collective call; its result is
/// valid on rank 0.
BriefLook look_briefly(Communicator& comm, const MachineCosts& built_in);

}  // namespace tutti
