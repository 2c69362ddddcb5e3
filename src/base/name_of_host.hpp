/// @file
/// What this machine calls itself.
#pragma once

#include <string>

namespace tutti {

/// "node17"; empty where the system does not say.
std::string name_of_host();

}  // namespace tutti
