/// @file
/// What somebody probably meant.
#pragma once

#include <span>
#include <string_view>

namespace tutti {

/// Of `names`, the one with the smallest edit distance to `name`; of several, the first. Empty where there are no
/// names.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);

}  // namespace tutti
