/// @file
/// Which build of this library a rank has.
#pragma once

#include <string>

namespace tutti::interpose {

/// What the linker has noted in the file that holds this function, a digest of all that it linked: the same bytes in
/// copies of one file, others in every other build. Empty where the linker has noted nothing.
std::string build_of_this_library();

}  // namespace tutti::interpose
