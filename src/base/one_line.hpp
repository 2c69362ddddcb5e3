/// @file
/// Text that stays within its line, whatever it quotes.
#pragma once

#include <string>
#include <string_view>

namespace tutti {

/// The text with escapes (\n, \t, \x1b, \u2028) in the place of what would end the line or steer a terminal: control
/// characters, and Unicode's separators of lines and paragraphs. All else stays as it is. Applied twice, it changes
/// nothing more.
std::string one_line(std::string_view text);

}  // namespace tutti
