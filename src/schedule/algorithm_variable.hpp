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

}  // namespace tutti
