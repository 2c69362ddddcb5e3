/// @file
/// Labels beside the ranks of a picture: the contents that they hold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draw/scene/scene.hpp"
#include "draw/steps/frames.hpp"

namespace tutti::draw {

/// Whether any rank is shown to hold anything.
bool any_contents(const ScheduleFrames& frames);

/// Returns the frames with nothing beside the ranks, which makes pictures of many ranks much smaller; a note says so.
ScheduleFrames without_contents(ScheduleFrames frames);

/// The lines beside vertices: what a rank holds before or after a step. Refers to what it was made of.
class RankContents {
 public:
  RankContents(const ScheduleFrames& frames, const Arrangement& arrangement)
      : frames_(frames), arrangement_(arrangement) {}

  /// The room that each vertex needs beside it, over all steps.
  std::vector<PixelSize> label_sizes() const;
  /// The scene with room for what ranks hold before the step, or after it, off these points of its arrows. Labels of
  /// ranks that hold nothing, and those without such room, have no width.
  Scene beside_vertices(const Frame& frame, bool before, const Scene& scene, const std::vector<Point>& arrows) const;
  /// Returns the contents of ranks that have no room in `scene`, a line a rank: "5 holds {0..15}: x5; {16..31}: Σ5,9".
  std::vector<std::string> without_room(const Frame& frame, bool before, const Scene& scene) const;
  /// Draws the contents of the ranks before the step, or after it.
  void draw(Svg& svg, const Frame& frame, bool before, const Scene& scene) const;
  /// Draws the contents of the ranks before the step in one color.
  void draw_plain(Svg& svg, const Frame& frame, const Scene& scene, std::string_view color) const;

 private:
  const ScheduleFrames& frames_;
  const Arrangement& arrangement_;
};

}  // namespace tutti::draw
