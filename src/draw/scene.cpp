#include "draw/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "draw/attempt.hpp"

namespace tutti::draw {
namespace {

constexpr double growth = 1.08;
constexpr int most_growths = 60;
constexpr int most_strict = 12;  // of them for the sake of wires
constexpr int most_clear = 16;   // and of labels that would lie on wires

// Along the axis on which two that collide are further apart already, which parts them sooner.
void grow(UnitPixels& scale, Apart clash) {
  // Pictures much stretched one way are hard to recognize.
  constexpr double most_stretch = 1.9;
  const bool across = clash == Apart::across;
  double& along = across ? scale.x : scale.y;
  double& other = across ? scale.y : scale.x;
  along *= growth;
  other = std::max(other, along / most_stretch);
}

}  // namespace

Extent extent_of(std::span<const std::string> lines) {
  Extent extent{0, static_cast<double>(lines.size()) * small_line};
  for (const std::string& line : lines) extent.width = std::max(extent.width, width_of(line, small_text, Weight::bold));
  return extent;
}

Scene scene_of(const Arrangement& arrangement, const std::vector<Extent>& extents, double least,
               const std::vector<bool>& busy) {
  constexpr double worth = 0.2;  // of the labels, to be moved off wires by a picture e times as large
  UnitPixels scale{least, least};
  std::optional<Scene> best;
  double first_area = 0;
  double least_cost = std::numeric_limits<double>::infinity();
  for (int round = 0, clear_rounds = 0;; ++round) {
    Attempt attempt(arrangement, extents, scale, busy);
    if (const auto clash = attempt.arrange(round < most_strict); clash && round < most_growths) {
      grow(scale, *clash);
      continue;
    }
    const std::optional<Apart> wish = attempt.wish();
    if (!best) first_area = attempt.area();
    const double cost = attempt.crossed_labels() + worth * static_cast<double>(extents.size()) *
                                                       std::log(std::max(1.0, attempt.area() / first_area));
    if (cost < least_cost) {
      least_cost = cost;
      best = attempt.take();
    }
    if (!wish || clear_rounds == most_clear || round >= most_growths) return *std::move(best);
    grow(scale, *wish);
    ++clear_rounds;
  }
}

Scene dense_scene_of(const Arrangement& arrangement, const std::vector<Extent>& extents, double scale) {
  UnitPixels unit{scale, scale};
  for (int round = 0;; ++round) {
    Attempt attempt(arrangement, extents, unit, {});
    const auto clash = attempt.arrange(round < most_strict, Places::optional);
    if (!clash || round >= most_growths) return attempt.take();
    grow(unit, *clash);
  }
}

}  // namespace tutti::draw
