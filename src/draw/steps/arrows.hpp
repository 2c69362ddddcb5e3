/// @file
/// The arrows of one step: along the wires, with labels that keep clear of everything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draw/steps/arrow_routes.hpp"
#include "draw/steps/frames.hpp"

namespace tutti::draw {

/// An arrow as it is drawn.
struct DrawnArrow {
  std::vector<ArrowHop> hops;  ///< the links of its route that it has a line of its own on
  std::string_view color;
  std::string_view dashes = {};  ///< empty: unbroken
  Box label;                     ///< without size where there was no room for one
  bool named = false;            ///< the label has the content beside the number
  bool content_shown = false;    ///< whether its message is named beside it, or beside a broad line that it shares
};

/// A broad line that stands for several messages.
struct Trunk {
  ArrowHop hop;
  std::string text;  ///< "7 × {1..7}": how many, and what they carry together; "7 messages" without room for that
  bool says_what = false;  ///< whether it has room
  Box label;               ///< without size where there was no room for one
};

/// The arrows of a step.
struct DrawnStep {
  std::vector<DrawnArrow> arrows;  ///< by message
  std::vector<Trunk> trunks;
  bool crowded = false;  ///< too many messages for words beside them: the lines are thin
};

/// Meaning of the arrows' colors.
enum class Coloring {
  by_kind,   ///< whether the receiver stores the message or combines it; see color_of
  distinct,  ///< tells arrows apart that pass others' vertices
};

/// `apart` where a message's way passes another vertex that is drawn.
Coloring coloring_of(const ScheduleFrames& frames, const Arrangement& arrangement);

/// The color of a message that is stored, or combined.
std::string_view color_of(bool combined);
/// The dashes of its line, by which prints without color tell the two apart.
std::string_view dashes_of(bool combined);

/// Returns the words beside an arrow after its number: its content, and its size in `sizes` if that is asked for.
std::string name_of(const Arrow& arrow, std::optional<Unit> sizes);

/// Returns the room of the arrow's number at the left of its label.
double number_width(const Arrow& arrow);

/// Space within a label: before the number, and between it and the content.
inline constexpr double label_padding = 2;
inline constexpr double number_gap = 3;

/// Places the arrows of a step, without labels. Messages that share a link run side by side, and so do the two ways of
/// a cable; where that would be broader than its vertices they share a line.
DrawnStep place_arrows(const Frame& frame, const Arrangement& arrangement, const Scene& scene, Coloring coloring);

/// Points along the edges of all that is drawn of arrows.
std::vector<Point> points_along(const DrawnStep& step);

/// Places the arrows' labels. They keep clear of vertices, of `taken`, of one another and of all arrows; where there is
/// no room for number and content the number alone is tried. `sizes`: see `name_of`.
void name_arrows(DrawnStep& step, const Frame& frame, const Scene& scene, const std::vector<Box>& taken,
                 std::optional<Unit> sizes);

/// The box around all of the step's arrows and labels, and around `box`.
Box bounds_of(const DrawnStep& step, Box box);

/// The arrows of the step, into the drawing.
void draw_arrows(Svg& svg, const Frame& frame, const DrawnStep& drawn, Unit unit);
/// Their labels.
void draw_labels(Svg& svg, const Frame& frame, const DrawnStep& drawn, std::optional<Unit> sizes);

/// The color of lines that stand for several messages.
inline constexpr std::string_view trunk_color = "#777777";

}  // namespace tutti::draw
