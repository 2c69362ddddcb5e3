/// @file
/// The legend of a picture of steps: what its colors and signs mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/scene/scene.hpp"
#include "draw/steps/arrows.hpp"

namespace tutti::draw {

/// Sign before an explanation.
enum class LegendSign { arrow, trunk, number, bold, gray, rank, switch_box, wire };

struct LegendEntry {
  LegendSign sign = LegendSign::arrow;
  std::string_view color;
  std::string text;
  std::string_view dashes = {};  ///< dashes of an arrow; empty: unbroken
};

/// Returns the keys of all signs in the picture: colors of messages, numbers, bold and gray letters, nodes, switches,
/// broad cables. For a network alone, with Frames{}, its own signs.
std::vector<LegendEntry> legend_entries_of(const ScheduleFrames& frames, const Arrangement& arrangement,
                                           Coloring coloring);

/// The keys in rows.
class Legend {
 public:
  /// Rows of up to `width` pixels; a longer key has a row to itself.
  Legend(std::vector<LegendEntry> entries, double width);

  PixelSize size() const { return size_; }
  void draw(Svg& svg, Point corner) const;

 private:
  std::vector<LegendEntry> entries_;
  std::vector<Point> places_;
  PixelSize size_;
};

}  // namespace tutti::draw
