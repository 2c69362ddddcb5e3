/// @file
/// Tables of text, as wide as they need or as a screen is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// Rows of cells; the first is the heading.
using TableRows = std::vector<std::vector<std::string>>;

/// Look of a written table.
struct TableLook {
  /// The columns of letters that there are: texts of several words are folded within their cells, and then columns give
  /// way, so that lines are no longer; last of all, words are parted behind hyphens. 0: as many as the table needs.
  int width = 0;
  std::vector<std::size_t> expendable = {};  ///< columns that may be left out, the least important first
  std::string_view where_left_out = {};      ///< said below the table, folded as it is, where columns were left out
  bool bold_heading = false;                 ///< by the signs that terminals take for bold letters
};

/// Rows of cells as aligned columns, two blanks between them. What no column can give is left longer than the screen.
std::string table_of(const TableRows& rows, const TableLook& look = {});

/// Returns a table no column of which may be left out: as several tables, one below the other, each with the first
/// column.
std::string table_in_parts(const TableRows& rows, const TableLook& look = {});

/// The text in lines of at most `width` letters, broken at blanks; 0: in one line. A longer word has a line to itself.
/// A text that begins with blanks keeps its depth: its further lines begin two blanks behind its first word.
std::vector<std::string> folded(std::string_view text, int width);

}  // namespace tutti
