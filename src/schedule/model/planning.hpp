/// @file
/// The names of the ways to plan, and the environment variables that name an algorithm.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tutti/collective.hpp"
#include "tutti/planning.hpp"

namespace tutti {

/// Returns the ways of planning that can be asked for, the quickest first: "estimate", "measure", "patient".
std::span<const std::string_view> planning_names();
std::string_view name_of(Planning planning);
std::optional<Planning> planning_named(std::string_view name);

/// The variable of the environment that names an algorithm for the collective: "TUTTI_ALGORITHM_ALL_REDUCE".
std::string algorithm_variable(Collective collective);
/// Returns the variable of a collective that is known by its name.
std::string algorithm_variable(std::string_view collective);

}  // namespace tutti
