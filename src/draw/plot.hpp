/// @file
/// Lines over two logarithmic axes.
#pragma once

#include <string>
#include <vector>

#include "draw/axis.hpp"

namespace tutti::draw {

struct Axis {
  std::string label;
  Unit unit = Unit::number;
};

/// A point of a line: above 0 on both axes.
struct Sample {
  double x = 0;
  double y = 0;
};

/// How a line is drawn.
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

/// A place on the lines that is marked, such as one where two of them cross, and what is written above it.
struct Crossing {
  Sample at;
  std::string text;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Crossing> crossings = {};  ///< inside the range of the series
  std::vector<std::string> notes = {};   ///< lines below the title
};

/// The plot as an SVG file: title and notes above, a flag over every crossing, each line's name at its right end; lines
/// are told apart by color and dashes. Throws `Error` where there is no sample, or one is not above 0 and finite.
std::string svg_of(const Plot& plot);

}  // namespace tutti::draw
