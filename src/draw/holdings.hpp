/// @file
/// What stands beside the ranks of a picture: what they hold.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "draw/frames.hpp"
#include "draw/scene.hpp"

namespace tutti::draw {

/// Whether any rank is shown to hold anything.
bool any_held(const Frames& frames);

/// The same frames with nothing beside the ranks, which makes pictures of many ranks much smaller; a note says so.
Frames without_holdings(Frames frames);

/// The lines beside vertices: what a rank holds before or after a step. Refers to what it was made of.
class Holdings {
 public:
  Holdings(const Frames& frames, const Arrangement& arrangement) : frames_(frames), arrangement_(arrangement) {}

  /// The room that each vertex needs beside it, over all steps.
  std::vector<Extent> extents() const;
  /// The scene with room for what ranks hold before the step, or after it, off these points of its arrows. Labels of
  /// ranks that hold nothing, and those without such room, have no width.
  Scene around(const Frame& frame, bool before, const Scene& scene, const std::vector<Point>& arrows) const;
  /// What ranks hold that has no room in `scene`, a line a rank: "5 holds {0..15}: x5; {16..31}: Σ5,9".
  std::vector<std::string> without_room(const Frame& frame, bool before, const Scene& scene) const;
  /// What ranks hold before the step, or after it, into the drawing.
  void draw(Svg& svg, const Frame& frame, bool before, const Scene& scene) const;

 private:
  const Frames& frames_;
  const Arrangement& arrangement_;
};

}  // namespace tutti::draw
