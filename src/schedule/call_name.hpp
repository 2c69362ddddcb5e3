/// @file
/// What programs write where they call a collective.
#pragma once

#include <string>

#include "tutti/collective.hpp"

namespace tutti {

/// "all_reduce"; with counts a rank "gather_v".
std::string call_name(Collective collective, bool by_counts);

}  // namespace tutti
