/// @file
/// Where the environment names an algorithm.
#pragma once

#include <string>
#include <string_view>

#include "tutti/collective.hpp"

namespace tutti {

/// The variable of the environment that names an algorithm for the collective: "TUTTI_ALGORITHM_ALL_REDUCE".
std::string algorithm_variable(Collective collective);
/// The same for a collective by its name.
std::string algorithm_variable(std::string_view collective);

/// What to tell of variables that begin as these do and go on with no collective: nobody asks for them. Empty where
/// there are none. "TUTTI_ALGORITHM_ALLREDUCE names no collective; the nearest is 'TUTTI_ALGORITHM_ALL_REDUCE'".
std::string misnamed_algorithm_variables();

}  // namespace tutti
