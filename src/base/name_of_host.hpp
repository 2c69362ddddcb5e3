/// @file
/// What this machine calls itself.
#pragma once

#include <string>

namespace tutti {

/// "node17"; cut off where it is longer than names of hosts are.
std::string name_of_host();

}  // namespace tutti
