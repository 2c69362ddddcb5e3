/// @file
/// Writes drawings as SVG 1.1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/text_width.hpp"

namespace tutti::draw {

/// A place in the drawing, in pixels from its upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

struct Stroke {
  std::string_view color = "#000000";
  double width = 1;
  std::string_view dashes = {};  ///< such as "6 3"; empty: unbroken
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 13;  ///< the height of a line, in pixels
  Anchor anchor = Anchor::start;
  std::string_view color = "#222222";
  bool bold = false;
  double turned = 0;  ///< degrees clockwise around its place
  bool halo = false;  ///< keeps lines beneath it away from its letters
};

/// The text with the characters that XML reserves written as entities, and without those that it forbids. Needs UTF-8.
std::string escaped(std::string_view text);

/// A drawing of fixed size on white ground. The same calls give the same bytes.
class Svg {
 public:
  /// `title` is what viewers show and screen readers read.
  Svg(double width, double height, std::string_view title);

  void line(Point from, Point to, const Stroke& stroke);
  void polyline(const std::vector<Point>& points, const Stroke& stroke);
  void rectangle(Point corner, double width, double height, std::string_view fill);
  /// With round corners and an edge.
  void pill(Point corner, double width, double height, std::string_view fill, const Stroke& edge);
  /// An edge alone, with slightly round corners.
  void frame(Point corner, double width, double height, std::string_view color);
  void circle(Point center, double radius, std::string_view fill);
  /// A quadratic Bézier curve.
  void curve(Point from, Point control, Point to, const Stroke& stroke);
  void polygon(const std::vector<Point>& points, std::string_view fill);
  /// `at` is on the line on which the letters stand.
  void text(Point at, std::string_view text, const TextStyle& style = {});

  /// Begins a group, until `end_group`: `kind` is its class, which readers of the file may look for. `name` is read by
  /// screen readers; it may be empty.
  void begin_group(std::string_view kind, std::string_view name = {});
  /// Begins a group that is drawn at another place, `by` further right and down.
  void begin_moved(Point by);
  /// Begins a group that is drawn at another place, `scale` times as large.
  void begin_placed(Point by, double scale);
  void end_group();
  /// Begins a definition, until `end_definition`, which is drawn only where `use` places it.
  void begin_definition(std::string_view id);
  void end_definition();
  /// Draws what is defined, moved by `at`.
  void use(std::string_view id, Point at);

  /// The whole file.
  std::string str() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

}  // namespace tutti::draw
