#include "app/command_line/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "app/command_line/platform.hpp"
#include "app/command_line/user_settings.hpp"
#include "base/system/environment.hpp"
#include "base/system/tell_user.hpp"

namespace tutti::app {
namespace {

constexpr int least_width = 20;
constexpr int most_width = 10000;

}  // namespace

int line_width() {
  if (const char* const text = environment_variable("COLUMNS")) {
    const std::string_view digits = text;
    int width = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    if (whole && width > 0) return std::clamp(width, least_width, most_width);
  }
  return std::min(output_columns(), most_width);
}

bool output_has_colors() {
  const bool refused = !text_in_environment("NO_COLOR").empty();
  if (!output_is_terminal() || refused || text_in_environment("TERM") == "dumb") return false;
  static const bool are_wanted = user_settings().colors.value_or(true);
  return are_wanted;
}

std::string screen_table_in_parts(const TableRows& rows) {
  return table_in_parts(rows, {.width = line_width(), .bold_heading = output_has_colors()});
}

std::string screen_table(const TableRows& rows, std::vector<std::size_t> expendable, std::string_view where_left_out) {
  return table_of(rows, {.width = line_width(),
                         .expendable = std::move(expendable),
                         .where_left_out = where_left_out,
                         .bold_heading = output_has_colors()});
}

std::string titled(std::string_view title, std::string_view words, std::size_t title_width) {
  const int width = line_width();
  const int left = static_cast<int>(std::max(title_width, title.size())) + 1;
  std::string text;
  for (const std::string& line : folded(words, width == 0 ? 0 : std::max(least_width, width - left)))
    text += fmt::format("{:<{}}{}\n", text.empty() ? title : "", left, line);
  return text;
}

std::string screen_text(std::string_view text) {
  std::string lines;
  for (const std::string& line : folded(text, line_width())) lines += line + '\n';
  return lines;
}

std::string screen_line(std::string_view line, std::size_t column, std::size_t further) {
  const int width = line_width();
  const std::size_t left = column + further;
  const int room = width == 0 ? 0 : std::max(least_width, width - static_cast<int>(left));
  std::string text;
  for (const std::string& words : folded(line.substr(column), room))
    text += (text.empty() ? std::string(line.substr(0, column)) : std::string(left, ' ')) + words + '\n';
  return text;
}

std::string screen_listing(std::string_view text) {
  constexpr std::size_t further = 2;
  std::string listing;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t name = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", name);
    listing += screen_line(line, gap == line.npos ? name : line.find_first_not_of(' ', gap), further);
    at = end + 1;
  }
  return listing;
}

std::string screen_command(std::string_view command) {
  constexpr std::string_view indent = "      ";
  constexpr std::string_view goes_on = " \\";
  const int width = line_width();
  const int room = width == 0 ? 0 : width - static_cast<int>(indent.size() + goes_on.size());
  const std::vector<std::string> parts =
      static_cast<int>(command.size()) + 2 <= width ? std::vector{std::string(command)} : folded(command, room);
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k)
    text += fmt::format("{}{}{}\n", k == 0 ? "  " : indent, parts[k], k + 1 < parts.size() ? goes_on : "");
  return text;
}

std::string toned(std::string_view words, Tone tone) {
  if (!output_has_colors()) return std::string(words);
  return fmt::format("\033[{}m{}\033[0m", tone == Tone::good ? 32 : 31, words);
}

Progress progress_bar(const std::string& verb, std::size_t total) {
  if (!errors_are_terminal()) return {};
  return [verb, total](std::size_t done) {
    constexpr std::size_t width = 40;
    const std::size_t filled = total == 0 ? width : done * width / total;
    tell_user("\r{} [{:#>{}}{:->{}}] {} of {}", verb, "", filled, "", width - filled, done, total);
    std::fflush(stderr);
  };
}

std::function<void(std::int64_t, std::int64_t)> simulation_bar(const std::string& verb) {
  if (!errors_are_terminal()) return {};
  return [verb](std::int64_t passed, std::int64_t all) {
    progress_bar(verb, static_cast<std::size_t>(all))(static_cast<std::size_t>(passed));
  };
}

void clear_progress_bar() {
  if (errors_are_terminal()) tell_user("\r\033[K");
}

}  // namespace tutti::app
