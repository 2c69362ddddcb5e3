#include "draw/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::draw {
namespace {

Point mix(Point a, Point b, double t) { return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; }

}  // namespace

Box around(const Box& a, const Box& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

Box centered(Point middle, double width, double height) {
  return {middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2};
}

bool Body::holds(Point point, double clear) const {
  const double radius = round ? std::min(width(), height()) / 2 : 0;
  const double x = std::max({left + radius - point.x, 0.0, point.x - right + radius});
  const double y = std::max({top + radius - point.y, 0.0, point.y - bottom + radius});
  return std::hypot(x, y) <= radius + clear;
}

Point Curve::at(double t) const { return mix(mix(from, control, t), mix(control, to, t), t); }

Point Curve::direction(double t) const {
  const Point a = mix(from, control, t);
  const Point b = mix(control, to, t);
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  return length > 0 ? Point{(b.x - a.x) / length, (b.y - a.y) / length} : Point{1, 0};
}

// The blossom of the curve: its control point for any two parameters.
Curve Curve::part(double begin, double end) const {
  return {at(begin), mix(mix(from, control, begin), mix(control, to, begin), end), at(end)};
}

std::vector<Point> Curve::samples(double apart) const {
  const double length =
      std::hypot(control.x - from.x, control.y - from.y) + std::hypot(to.x - control.x, to.y - control.y);
  const int pieces = std::max(1, static_cast<int>(length / apart));
  std::vector<Point> points;
  for (int k = 0; k <= pieces; ++k) points.push_back(at(static_cast<double>(k) / pieces));
  return points;
}

Curve straight(Point from, Point to) { return {from, mix(from, to, 0.5), to}; }

Curve shifted(const Curve& curve, double by) {
  const auto aside = [&](Point point, double t) {
    const Point along = curve.direction(t);
    return Point{point.x - by * along.y, point.y + by * along.x};
  };
  return {aside(curve.from, 0.5), aside(curve.control, 0.5), aside(curve.to, 0.5)};
}

}  // namespace tutti::draw
