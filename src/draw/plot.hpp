/// @file
/// Lines over two logarithmic axes.
#pragma once

#include <string>
#include <vector>

namespace tutti::draw {

/// What an axis counts, which is how its marks are written and where they stand: bytes at powers of two, the others at
/// powers of ten, and at 1, 2 and 5 where the range is short.
enum class Unit { bytes, seconds, number };

struct Axis {
  std::string label;
  Unit unit = Unit::number;
};

/// A point of a line: above 0 on both axes.
struct Sample {
  double x = 0;
  double y = 0;
};

/// A line: its name in the legend, and its points from left to right.
struct Series {
  std::string name;
  std::vector<Sample> samples;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

/// The plot as an SVG file: the title above, the legend at the right, lines told apart by color and dashes. Throws
/// `Error` where there is no sample, or one is not above 0 and finite.
std::string svg_of(const Plot& plot);

/// The values at which an axis from `least` to `most` has marks, at most about ten. Needs 0 < least <= most.
std::vector<double> marks(Unit unit, double least, double most);

}  // namespace tutti::draw
