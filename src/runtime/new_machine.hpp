/// @file
/// New machine: measures what threads or processes cost there, once and briefly, by the command `tutti tune --brief`.
#pragma once

#include <string>

#include "base/transport.hpp"

namespace tutti::runtime {

/// Returns the path of the command `tutti`: where this tutti is installed, or else along PATH; empty if it is at neither.
std::string installed_command();

/// Calibrates a machine whose profile lacks the costs of threads or of processes, as `transport` says: lets `command`
/// measure for at most 0.3 s what they cost and keep that in own_profile_file(). To be called before `ranks` ranks are
/// started. The calibration happens once for a machine and transport: the file says so before anything is measured, so
/// that of programs which start at the same time one measures, and a calibration that is cut short is not tried again.
///
/// The measurement is in a process of its own, without the variables TUTTI_… and what is preloaded here: a profile is to tell
/// what the machine costs, and not what a program under a debugger or a sanitizer does.
///
/// Does nothing for other transports, where TUTTI_PROFILE names the profile to choose by, where an administrator's
/// profile has the costs or is the only one, where the file cannot be made, for no command, for one rank, on one core,
/// and for more ranks than a person looks on. Never throws, and leaves no process behind.
void look_at_new_machine(Transport transport, int ranks, const std::string& command) noexcept;

}  // namespace tutti::runtime
