/// @file
/// Drawings as TikZ, for documents of TeX.
#pragma once

#include <string>
#include <string_view>

namespace tutti::draw {

/// Translates a drawing that Svg has written, element by element: a tikzpicture to be \input, of the same size, with
/// the document's own letters. Needs the packages tikz and xcolor.
std::string tikz_of(std::string_view svg);

}  // namespace tutti::draw
