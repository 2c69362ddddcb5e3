/// @file
/// `tutti draw --style book`: figures for print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/command_line/outcome.hpp"
#include "app/commands/drawn_steps.hpp"

namespace tutti::app {

/// Figures of the textbooks that no collective by itself is: "matrix-vector".
std::vector<std::string_view> named_figures();

/// Draws the figure of that name. Throws `Error` for another, with the nearest.
Outcome draw_named_figure(const DrawRequest& request, const std::string& output);

/// Draws the steps as a textbook prints them; with --dual those of the dual beside them.
Outcome draw_book(const DrawRequest& request, const Drawn& drawn, const std::string& output);

}  // namespace tutti::app
