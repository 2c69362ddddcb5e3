/// @file
/// Many small plots with the same axes, beside one another.
#pragma once

#include <string>
#include <vector>

#include "draw/plots/plot.hpp"
#include "draw/plots/series.hpp"

namespace tutti::draw {

struct SmallPlot {
  std::string title;
  std::vector<Series> series;
};

/// Lines of one name look alike in all panels, and are named once, above these.
struct SmallPlots {
  std::string title;
  Axis x;
  std::vector<double> x_marks;  ///< rising; no sample lies before the first or after the last
  Axis y;
  std::vector<SmallPlot> panels;
  std::vector<std::string> notes = {};  ///< lines below the title
};

/// The panels as an SVG file, four a row, with both axes logarithmic. Throws `Error` where no panel has a sample, or
/// one is not above 0 and finite.
std::string svg_of(const SmallPlots& panels);

}  // namespace tutti::draw
