/// @file
/// Text that stays within its line, whatever it quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti {

/// The text with escapes (\n, \t, \x1b, \u2028) in the place of what would end the line or steer a terminal: control
/// characters, and Unicode's separators of lines and paragraphs; and in the place of bytes that are no UTF-8 (\xff).
/// All else stays as it is. Applied twice, it changes nothing more.
std::string one_line(std::string_view text);

/// Whether the text is UTF-8.
bool is_utf8(std::string_view text);

/// A line of more than `most` bytes without its middle, which says how much of it is left out: its beginning names the
/// place, and its end the remedy. Needs UTF-8; no character is cut. A line that is short enough stays as it is.
std::string shortened(std::string_view line, std::size_t most = 2000);

}  // namespace tutti
