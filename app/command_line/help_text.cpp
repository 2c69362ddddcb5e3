#include "app/command_line/help_text.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "app/command_line/terminal.hpp"

namespace tutti::app {
namespace {

// Returns the column in which a line goes on after the name that it begins with, two blanks or more after it; 0: there
// is none. Names that nearly fill their column have one blank.
std::size_t text_column(const std::string& line) {
  constexpr std::size_t usual = 30;  // column of the parser
  if (!line.starts_with("  ")) return 0;
  const std::size_t name = line.find_first_not_of(' ');
  const std::size_t gap = std::min(line.find("  ", name), line.size());
  if (name < usual && gap > usual && line.size() > usual && line[usual - 1] == ' ') return usual;
  return gap == line.size() ? name : line.find_first_not_of(' ', gap);
}

// Whether the text has a word that is longer than this many letters.
bool has_longer_word(std::string_view text, int letters) {
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (static_cast<int>(word.size()) > letters) return true;
  }
  return false;
}

}  // namespace

std::string help_line(const std::string& line) {
  const int width = line_width();
  constexpr int least_beside = 30;  // letters beside the names
  const bool is_command = line.starts_with("  tutti ") || line.find("&& tutti ") != std::string::npos;
  if (width == 0 || line.size() <= static_cast<std::size_t>(width)) return line + '\n';
  if (is_command && line.find('#') == std::string::npos)
    return screen_command(line.substr(line.find_first_not_of(' ')));
  const std::size_t column = text_column(line);
  const int room = width - static_cast<int>(column);
  if (column == 0 || room < least_beside) return screen_text(line);
  const std::string name = line.substr(0, line.find_last_not_of(' ', column - 1) + 1);
  const std::string text = line.substr(column);
  constexpr std::size_t below = 6;  // column of text with a long word, below the name
  if (name.empty() || !has_longer_word(text, room)) return screen_line(line, column);
  return name + '\n' + screen_line(std::string(below, ' ') + text, below);
}

}  // namespace tutti::app
