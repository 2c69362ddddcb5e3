/// @file
/// Agreement on the environments of a job's ranks, as far as they have to be alike.
#pragma once

#include "tutti/communicator.hpp"

namespace tutti::interpose {

/// To be called by all ranks of the job, where all of them have the library. Has the algorithms that rank 0's
/// environment names hold for all: where others differ, the first of them says so. Returns whether all ask to measure,
/// because all take part in that.
bool agree_on_settings();

/// To be called by all ranks of this host that have the library, where others of the job have not: `here` is their
/// communicator. Has the algorithms that the first one's environment names hold for all of them.
void agree_on_algorithms(Communicator& here);

}  // namespace tutti::interpose
