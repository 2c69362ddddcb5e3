/// @file
/// What ranks must have alike to serve one another.
#pragma once

#include <string>

namespace tutti::interpose {

/// What the linker has noted in the file that holds this function, a digest of all that it linked: the same bytes in
/// copies of one file, others in every other build. Empty where the linker has noted nothing.
std::string build_of_this_library();

/// That, and whether the rank checks its program, because ranks that do meet in calls in which others do not.
std::string kind_of_this_rank();

}  // namespace tutti::interpose
