/// @file
/// The names of the ways to plan.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "tutti/planning.hpp"

namespace tutti {

/// Those that can be asked for, the quickest first: "estimate", "measure", "patient".
std::span<const std::string_view> planning_names();
std::string_view name_of(Planning planning);
std::optional<Planning> planning_named(std::string_view name);

}  // namespace tutti
