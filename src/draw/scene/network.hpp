/// @file
/// A network by itself, as a picture.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "draw/layout/network_arrangement.hpp"

namespace tutti::draw {

/// The ranks, switches and cables as an SVG file, below the title and the lines of text. The same arrangement gives the
/// same bytes.
std::string svg_of(const Arrangement& arrangement, std::string_view title, std::span<const std::string> lines);

}  // namespace tutti::draw
