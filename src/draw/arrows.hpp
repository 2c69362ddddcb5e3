/// @file
/// The arrows of one step: along the wires, with labels that keep clear of everything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/frames.hpp"
#include "draw/scene.hpp"

namespace tutti::draw {

/// An arrow as it is drawn.
struct DrawnArrow {
  std::vector<Curve> hops;  ///< one a link of its route, clear of the vertices
  std::string_view color;
  Box label;             ///< without size where there was no room for one
  bool named = false;    ///< the label has the content beside the number
  bool crowded = false;  ///< the label covers parts of arrows
};

/// What colors of arrows say.
enum class Coloring {
  by_kind,  ///< whether the receiver stores the message or combines it; see color_of
  apart,    ///< which arrow is which, where arrows pass others' vertices
};

/// `apart` where a message's way passes another vertex that is drawn.
Coloring coloring_of(const Frames& frames, const Arrangement& arrangement);

/// The color of a message that is stored, or combined.
std::string_view color_of(bool combined);

/// What is written beside an arrow after its number: its content, and its size where arrows of the step differ in it.
std::string name_of(const Arrow& arrow, bool with_size);

/// The arrows of a step. Messages that share a link run side by side, and so do the two ways of a cable. Labels keep
/// clear of vertices, of `taken` and of one another; where there is no room for number and content the number alone is
/// tried. `with_sizes`: see `name_of`.
std::vector<DrawnArrow> place_arrows(const Frame& frame, const Arrangement& arrangement, const Scene& scene,
                                     const std::vector<Box>& taken, bool with_sizes, Coloring coloring);

/// The arrow, into the drawing.
void draw_arrow(Svg& svg, const Arrow& arrow, const DrawnArrow& drawn);
/// Its label, which is to be drawn after all arrows.
void draw_label(Svg& svg, const Arrow& arrow, const DrawnArrow& drawn, bool with_size);

}  // namespace tutti::draw
