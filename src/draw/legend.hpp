/// @file
/// The legend of a picture of steps: what its colors and signs mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/arrows.hpp"
#include "draw/scene.hpp"

namespace tutti::draw {

/// What stands before an explanation.
enum class Sign { arrow, trunk, number, bold, gray, rank, switch_box, wire };

struct Key {
  Sign sign = Sign::arrow;
  std::string_view color;
  std::string text;
};

/// What the picture has of each: colors of messages, numbers, bold and gray letters, nodes, switches, broad cables.
/// Of a network alone, with Frames{}, what it has.
std::vector<Key> keys_of(const Frames& frames, const Arrangement& arrangement, Coloring coloring);

/// The keys in rows.
class Legend {
 public:
  /// Rows of up to `width` pixels; a longer key has a row to itself.
  Legend(std::vector<Key> keys, double width);

  Extent extent() const { return extent_; }
  void draw(Svg& svg, Point corner) const;

 private:
  std::vector<Key> keys_;
  std::vector<Point> places_;
  Extent extent_;
};

}  // namespace tutti::draw
