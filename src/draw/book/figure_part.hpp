/// @file
/// Parts of a printed figure, and the pages that they fill.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/scene/scene.hpp"

namespace tutti::draw {

/// Part of a figure: a drawing of its own, with a caption below it.
struct FigurePart {
  std::string caption;  ///< may be empty
  PixelSize size;
  std::function<void(Svg&)> draw;  ///< with the upper left corner at the origin
};

/// The type area of a sheet of A4 with margins of 15 mm, in pixels of 1/96 inch: letters of 11 pixels have 8 points.
inline constexpr PixelSize page_area{680, 1008};

/// A figure as its title, its parts in order, and remarks below them.
struct BookFigure {
  std::string title;
  std::vector<FigurePart> parts;
  std::vector<std::string> notes;
};

/// Whether a figure is cut into pages, or is one picture however large.
enum class Paging { pages, whole };

/// The figure as SVG files, one a page, none larger than `page_area` unless it is asked for whole. Parts stand side by
/// side as long as a page is broad enough, and have letters in parentheses where there are several. A part that is
/// larger than a page is made smaller, and a note says so. The same figure gives the same bytes.
std::vector<std::string> pages_of(const BookFigure& figure, Paging paging = Paging::pages);

/// The text in lines of at most `width` pixels, broken at spaces.
std::vector<std::string> lines_within(std::string_view text, double width, double letters);

}  // namespace tutti::draw
