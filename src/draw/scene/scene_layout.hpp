/// @file
/// Layout of a scene: the scale at which bodies, labels and nodes keep clear of one another.
#pragma once

#include <vector>

#include "draw/scene/scene.hpp"

namespace tutti::draw {

/// Scales the arrangement, from `scale` pixels a unit upwards, until bodies, labels and nodes keep clear of one
/// another, and puts each label where the fewest wires run. `label_sizes` are by vertex. Grows
/// somewhat more where that keeps labels off `busy` wires, by wire; empty for none.
Scene scene_of(const Arrangement& arrangement, const std::vector<PixelSize>& label_sizes, double scale,
               const std::vector<bool>& busy = {});

/// Returns a scene that labels without a place make no larger: they have no width.
Scene dense_scene_of(const Arrangement& arrangement, const std::vector<PixelSize>& label_sizes, double scale);

}  // namespace tutti::draw
