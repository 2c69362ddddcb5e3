/// @file
/// Patterns of names: letters stand for themselves, * for any letters, ? for one.
#pragma once

#include <string_view>

namespace tutti {

/// Whether the name is one of those that the pattern means: "broadcast.*" means all that begin with "broadcast.".
bool matches_pattern(std::string_view name, std::string_view pattern);

}  // namespace tutti
