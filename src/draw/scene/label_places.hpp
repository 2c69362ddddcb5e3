/// @file
/// Candidate places of words about a vertex, and those among them that arrows leave free.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "draw/scene/scene.hpp"

namespace tutti::draw {

struct LabelPlace {
  Box box;
  Anchor alignment;
};

/// The places of a label around a body, the preferred ones first.
std::array<LabelPlace, 8> places_around(const Box& body, const PixelSize& size);

/// The first vertex other than `vertex` whose body, or else any vertex whose label, is in the box.
std::optional<std::size_t> first_hit(const Scene& scene, std::size_t vertex, const Box& box);

/// The scene with no label on `lines`: each that any of these points lies on, or that has no place yet, goes to the
/// first free place around its vertex, in the box of its node, on which none of them lies. Places a little further
/// along or away, past an arrow or other words, come after those beside the vertex. Where there is no such place the
/// label has no width. `label_sizes` by vertex; a label of no width stays.
Scene off_lines(Scene scene, const std::vector<PixelSize>& label_sizes, const std::vector<Point>& lines);

}  // namespace tutti::draw
