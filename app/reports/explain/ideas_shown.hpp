/// @file
/// Ideas that a picture or a table shows better than words.
#pragma once

#include <string>
#include <string_view>

namespace tutti::app {

/// Returns the text below the meaning of that term: "dual" has the pairs of collectives and the steps of a pair side by
/// side, "template" the hypercube's loop with its fillings. Empty for any other.
std::string idea_shown(std::string_view term);

/// The steps of a collective's algorithm and those of its dual, side by side; empty where the screen has no room.
std::string duals_side_by_side();

}  // namespace tutti::app
