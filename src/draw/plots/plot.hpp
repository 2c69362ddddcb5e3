/// @file
/// Lines over two logarithmic axes.
#pragma once

#include <string>
#include <vector>

#include "draw/plots/axis.hpp"
#include "draw/plots/series.hpp"

namespace tutti::draw {

struct Axis {
  std::string label;
  AxisUnit unit = AxisUnit::number;
};

/// A place on the lines that is marked, such as one where two of them cross, and what is written above it.
struct PlotCrossing {
  Sample at;
  std::string text;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<PlotCrossing> crossings = {};  ///< inside the range of the series
  std::vector<std::string> notes = {};       ///< lines below the title
};

/// The plot as an SVG file: title and notes above, a flag over every crossing, each line's name at its right end; lines
/// are told apart by color and dashes. Throws `Error` where there is no sample, or one is not above 0 and finite.
std::string svg_of(const Plot& plot);

}  // namespace tutti::draw
