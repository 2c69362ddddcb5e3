/// @file
/// Width of texts in a drawing, whatever font shows them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::draw {

enum class Weight : std::uint8_t { regular, bold };

/// The width of a line of text, in pixels, where its letters are `size` pixels high: in DejaVu Sans, the widest of the
/// fonts that viewers commonly take for sans-serif (Helvetica, Arial, Liberation Sans, Noto Sans), so that the text has
/// room in all of them. Needs UTF-8.
double width_of(std::string_view text, double size, Weight weight = Weight::regular);

/// The widths of the characters from ' ' to '~', and then that of any other, in thousandths of the size.
std::span<const std::int16_t> advances(Weight weight);

}  // namespace tutti::draw
