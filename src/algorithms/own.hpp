/// @file
/// Algorithms that programs bring along.
#pragma once

#include <string>
#include <string_view>

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

/// Makes the algorithm known to find() by that name for as long as the program runs; all else that it points to must
/// last as long. It is no candidate of a choice, and has no claims. Throws `Error(invalid_argument)` where its collective has an algorithm of that name or alias. May be called by any
/// thread at any time.
const Algorithm& add_own(std::string name, Algorithm algorithm);

/// The own algorithm of that name; null where there is none. Never waits.
const Algorithm* find_own(Collective collective, std::string_view name);

}  // namespace tutti::algorithms
