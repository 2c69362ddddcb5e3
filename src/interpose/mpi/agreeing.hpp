/// @file
/// What the environments of a job's ranks say, where it has to be the same for all.
#pragma once

namespace tutti::interpose {

/// To be called by all ranks of the job, where all of them have the library. Has the algorithms that rank 0's
/// environment names hold for all: where others differ, the first of them says so. Returns whether all ask to measure,
/// because all take part in that.
bool agree_on_settings();

}  // namespace tutti::interpose
