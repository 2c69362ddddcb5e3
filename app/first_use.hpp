/// @file
/// What processes cost on a machine that tutti has not seen before.
#pragma once

#include <string>

#include "predict/first_look.hpp"
#include "tutti/communicator.hpp"

namespace tutti::app {

/// Before that many ranks are started: where nobody has a profile of this machine yet, or one's own has no costs of
/// processes, as one to which only winners of trials were added, measures for at most 0.3 s what two processes cost,
/// and keeps what first_look() makes of it in own_profile_file(). That happens once for a machine: the file says so
/// before anything is measured, so that of programs which start at the same time one measures, and what is cut short is
/// not tried again.
///
/// Nothing is measured where TUTTI_PROFILE says what to choose by, where an administrator's profile says what
/// processes cost or is the only one, where the file cannot be made, for one rank, on one core, and for more ranks than
/// a person looks on. Never throws, and leaves no process behind.
void look_at_new_machine(int ranks) noexcept;

/// The measurement itself, over two ranks. A collective call; what it returns counts on rank 0.
FirstLook look_briefly(Communicator& comm);

}  // namespace tutti::app
