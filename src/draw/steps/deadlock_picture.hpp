/// @file
/// A deadlock as a picture.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tutti::draw {

/// The ranks on a circle, an arrow from each to the one that it waits for, the last to the first; below them the lines
/// of text. As an SVG file; the same values give the same bytes. Of more than 32 ranks the first 32 are drawn, and a
/// line says so.
std::string svg_of_waits(std::string_view title, std::span<const int> cycle, std::span<const std::string> lines);

}  // namespace tutti::draw
