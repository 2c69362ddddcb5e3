/// @file
/// How the lines of plots are told apart.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "draw/colors.hpp"
#include "draw/plot.hpp"
#include "draw/svg.hpp"

namespace tutti::draw {

/// For paper.
inline constexpr std::array<std::string_view, 7> line_dashes{"", "7 3", "2 3", "9 3 2 3", "4 2", "12 3", "1 4"};

/// The stroke of line `k`. When the colors come again, they do so with other dashes.
inline Stroke stroke_of(LineKind kind, std::size_t k) {
  if (kind == LineKind::bound) return {"#777777", 2, "3 3"};
  const std::size_t color = k % distinct_colors.size();
  return {distinct_colors[color], 2, line_dashes[(color + k / distinct_colors.size()) % line_dashes.size()]};
}

}  // namespace tutti::draw
