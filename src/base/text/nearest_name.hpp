/// @file
/// Guess of the name that somebody probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tutti {

/// Returns the one of `names` that takes fewest mistakes to become `name` (a letter more, fewer or another, two
/// neighbours exchanged; a capital is none); of several, the first. Empty if it takes more than one for every three
/// letters of `name`, unless a name begins with `name`, which has three letters at least.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);

/// The end of a sentence about a name that is none of `names`: "the nearest is 'ring'", or, where none is near,
/// "there are 'ring' and 'linear'".
std::string nearest_in_words(std::string_view name, std::span<const std::string_view> names);

}  // namespace tutti
