/// @file
/// Where the environment names an algorithm.
#pragma once

#include <string>

#include "tutti/collective.hpp"

namespace tutti {

/// The variable of the environment that names an algorithm for the collective: "TUTTI_ALGORITHM_ALL_REDUCE".
std::string algorithm_variable(Collective collective);

}  // namespace tutti
