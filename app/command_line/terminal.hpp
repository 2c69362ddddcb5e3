/// @file
/// Printed text as wide as the terminal has it, and progress of long work there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/table.hpp"

namespace tutti::app {

/// Returns how many letters a line has room for: by the variable COLUMNS, or the terminal that the output goes to; 0 if
/// the output goes to a file or a pipe, and lines are as long as they need.
int line_width();

/// Whether the output may have bold letters and colors: a terminal that is not called dumb, no NO_COLOR, and
/// no setting of the user that forbids it.
bool output_has_colors();

/// The table in lines of line_width(), with a bold heading where the output has colors. `expendable` are the columns
/// that are left out where there is no room, the least important first, and `where_left_out` is said below it then.
std::string screen_table(const TableRows& rows, std::vector<std::size_t> expendable = {},
                         std::string_view where_left_out = {});

/// The table, or several of some of its columns each, where the screen has no room for all.
std::string screen_table_in_parts(const TableRows& rows);

/// "Title     words", the words folded beside the title in lines of line_width(), and a line's end.
std::string titled(std::string_view title, std::string_view words, std::size_t title_width);

/// The text folded in lines of line_width(), each with its end.
std::string screen_text(std::string_view text);

/// A line of which what follows the first `column` letters is folded in lines of line_width(), each with its end. All
/// but the first begin with so many blanks, and with `further` more.
std::string screen_line(std::string_view line, std::size_t column, std::size_t further = 0);

/// A listing, whose lines are folded under their own words: those behind blanks, and behind a name and two blanks.
std::string screen_listing(std::string_view text);

/// A command, indented, in lines that a shell takes as one, each with its end.
std::string screen_command(std::string_view command);

enum class Tone { good, bad };

/// The words in green or red where the output has colors.
std::string toned(std::string_view words, Tone tone);

/// Called now and then with how much is done.
using Progress = std::function<void(std::size_t done)>;

/// Draws one line on standard error that overwrites itself, such as "proving [####----] 3 of 6"; empty where standard
/// error is no terminal.
Progress progress_bar(const std::string& verb, std::size_t total);

/// Returns the bar for the messages of a simulation, for its options.
std::function<void(std::int64_t passed, std::int64_t all)> simulation_bar(const std::string& verb);

/// Removes the line.
void clear_progress_bar();

}  // namespace tutti::app
