/// @file
/// Algorithms that programs bring along.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// Looks at what an own algorithm makes of a problem before any rank runs it. Throws `Error` where it must not be run.
/// Called by several threads at once.
using Admission = std::function<void(const Algorithm& algorithm, const Problem& problem)>;

/// Makes the algorithm known to find() by that name for as long as the program runs; all else that it points to must
/// last as long. It is no candidate of a choice, and has no claims. Without an admission it is run unseen. Throws
/// `Error(invalid_argument)` where its collective has an algorithm of that name or alias. May be called by any thread
/// at any time.
const Algorithm& add_own(std::string name, Algorithm algorithm, Admission admission = {});

/// Asks the algorithm's admission, if it is an own one that has one. To be called before it is run for the problem.
void admit(const Algorithm& algorithm, const Problem& problem);

/// The own algorithm of that name; null where there is none. Never waits.
const Algorithm* find_own(Collective collective, std::string_view name);

}  // namespace tutti::algorithms
