/// @file
/// Lines of plots, and the strokes by which they are told apart.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draw/colors.hpp"
#include "draw/svg.hpp"

namespace tutti::draw {

/// A point of a line: above 0 on both axes.
struct Sample {
  double x = 0;
  double y = 0;
};

/// Kind of a line.
enum class LineKind {
  measured,  ///< with a dot at every sample
  computed,  ///< the line alone
  bound,     ///< gray and dashed: what nothing can go beyond
};

/// A line: the name at its end, and its points from left to right. Without points it is left out.
struct Series {
  std::string name;
  std::vector<Sample> samples;
  LineKind kind = LineKind::measured;
};

/// Dashes for paper.
inline constexpr std::array<std::string_view, 7> line_dashes{"", "7 3", "2 3", "9 3 2 3", "4 2", "12 3", "1 4"};

/// Returns the stroke of line `k`. When the colors come again, they do so with other dashes.
inline Stroke stroke_of(LineKind kind, std::size_t k) {
  if (kind == LineKind::bound) return {"#777777", 2, "3 3"};
  const std::size_t color = k % distinct_colors.size();
  return {distinct_colors[color], 2, line_dashes[(color + k / distinct_colors.size()) % line_dashes.size()]};
}

}  // namespace tutti::draw
