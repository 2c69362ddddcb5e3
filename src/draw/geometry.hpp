/// @file
/// Boxes and curves in pixels.
#pragma once

#include <vector>

#include "draw/svg.hpp"

namespace tutti::draw {

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool holds(Point point) const { return point.x > left && point.x < right && point.y > top && point.y < bottom; }
};

inline bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

inline Box moved(const Box& box, Point by) {
  return {box.left + by.x, box.top + by.y, box.right + by.x, box.bottom + by.y};
}

/// The box with this much more on each side.
inline Box grown(const Box& box, double by) { return {box.left - by, box.top - by, box.right + by, box.bottom + by}; }

/// The shape of a vertex: a box, or one whose shorter sides are half circles.
struct Body : Box {
  bool round = false;

  /// Whether the point is inside, or at most `clear` away.
  bool holds(Point point, double clear) const;
};

/// The least box around both.
Box around(const Box& a, const Box& b);

/// The box of that size around its middle.
Box centered(Point middle, double width, double height);

/// A quadratic Bézier curve; straight where the control point is in the middle.
struct Curve {
  Point from;
  Point control;
  Point to;

  /// The point at `t` in [0, 1].
  Point at(double t) const;
  /// The direction at `t`, of length 1; to the right where the curve has no length.
  Point direction(double t) const;
  /// The part of the curve between two parameters.
  Curve part(double begin, double end) const;
  /// Points along the curve, about `apart` pixels from one another.
  std::vector<Point> samples(double apart) const;
};

Curve straight(Point from, Point to);
/// The curve a few pixels further to its right, seen in its direction.
Curve shifted(const Curve& curve, double by);

}  // namespace tutti::draw
