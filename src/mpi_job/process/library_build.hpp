/// @file
/// Build of the library: ranks serve one another only if theirs are equal.
#pragma once

#include <string>

namespace tutti::interpose {

/// Returns the linker's note in the file that holds this function, a digest of all that it linked: equal bytes in
/// copies of one file, others in every other build. Empty if the linker has noted nothing.
std::string build_of_this_library();

/// Returns the build, and whether the rank checks its program, because ranks that do meet in calls in which others do
/// not.
std::string build_and_checks_of_this_rank();

}  // namespace tutti::interpose
