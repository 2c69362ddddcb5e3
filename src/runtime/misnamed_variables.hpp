/// @file
/// Variables of the environment that nobody asks for.
#pragma once

#include <string>

namespace tutti::runtime {

/// What to tell of variables that begin as those that name algorithms and go on with no collective. Empty where there
/// are none. "TUTTI_ALGORITHM_ALLREDUCE names no collective; the nearest is 'TUTTI_ALGORITHM_ALL_REDUCE'".
std::string misnamed_algorithm_variables();

}  // namespace tutti::runtime
