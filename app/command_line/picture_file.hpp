/// @file
/// Pictures in files of several formats.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::app {

/// Endings of the formats that a picture may have.
inline constexpr std::array<std::string_view, 4> picture_endings{".svg", ".pdf", ".png", ".tex"};

/// Throws `Error(invalid_argument)` unless the name ends as a picture's does or as one of `others`, its folder exists,
/// and, for PDF and PNG, rsvg-convert is installed. To be called before the work whose result the file is to hold.
void check_picture_file(const std::string& name, std::initializer_list<std::string_view> others = {});

/// Writes the pages of a drawing, as SVG, in the format that the name ends with, and returns the files' names. A PDF
/// has all pages; of the other formats several pages are FILE-1.svg, FILE-2.svg and so on. PDF and PNG are made by
/// rsvg-convert, TikZ by draw::tikz_of(). Throws `Error(invalid_argument)` naming the file where it cannot be written.
std::vector<std::string> write_pages(const std::string& name, std::span<const std::string> pages);

/// Writes a drawing of one page.
void write_picture(const std::string& name, const std::string& svg);

}  // namespace tutti::app
