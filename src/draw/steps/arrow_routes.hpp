/// @file
/// The ways of a step's messages in pixels: along the wires, side by side, and together where too many share a link.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "draw/scene/scene.hpp"
#include "draw/steps/frames.hpp"

namespace tutti::draw {

/// One link of a way.
struct ArrowHop {
  int from = 0;
  int to = 0;
  Curve wire;        ///< the middle of the link, from border to border of its vertices
  Curve curve;       ///< curve that is drawn, from border to border
  double left = 0;   ///< reach of the link's arrows, both ways, to the left of the wire
  double right = 0;  ///< and to its right
};

/// The vertices of the arrow's route that the arrangement has.
std::vector<int> shown_route(const Arrow& arrow, const Arrangement& arrangement);

/// By wire of the arrangement: whether any message of the frames takes it.
std::vector<bool> busy_wires(const ScheduleFrames& frames, const Arrangement& arrangement);

/// Width of a line that stands for several messages, and of its head.
constexpr double trunk_width = 5;
constexpr double trunk_head = 12;
constexpr double head_width = 7;  ///< width of a message's head

/// Routes of a step's messages. Some run side by side on a link, as many as both of its vertices are broad for; more
/// share one broad line.
class ArrowRoutes {
 public:
  ArrowRoutes(const Frame& frame, const Arrangement& arrangement, const Scene& scene);

  /// Whether the link's messages share a line.
  bool is_trunk(int from, int to) const;
  /// The line that they share.
  ArrowHop trunk(int from, int to) const;
  /// The next message's own line over this link.
  ArrowHop next_line(int from, int to);

 private:
  int count(int from, int to) const;
  double reach(int from, int to) const;
  Curve path_between(int from, int to) const;
  ArrowHop hop(int from, int to, double aside) const;
  bool is_clear(const Curve& curve, int from, int to) const;

  const Arrangement& arrangement_;
  const Scene& scene_;
  std::map<std::pair<int, int>, int> count_;
  std::map<std::pair<int, int>, int> used_;
};

}  // namespace tutti::draw
