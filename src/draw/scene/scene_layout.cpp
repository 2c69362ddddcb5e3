#include "draw/scene/scene_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "draw/scene/layout_attempt.hpp"

namespace tutti::draw {
namespace {

constexpr double growth = 1.08;
constexpr int most_growths = 60;
constexpr int most_strict = 12;  // attempts of these for the sake of wires
constexpr int most_clear = 16;   // and of labels that would lie on wires

// Along the axis on which two that collide are further apart already, which parts them sooner.
void grow(UnitPixels& scale, SeparationAxis clash) {
  // Pictures much stretched one way are hard to recognize.
  constexpr double most_stretch = 1.9;
  const bool across = clash == SeparationAxis::horizontal;
  double& along = across ? scale.x : scale.y;
  double& other = across ? scale.y : scale.x;
  along *= growth;
  other = std::max(other, along / most_stretch);
}

}  // namespace

Scene scene_of(const Arrangement& arrangement, const std::vector<PixelSize>& label_sizes, double least,
               const std::vector<bool>& busy) {
  constexpr double worth = 0.2;  // share of the labels that must be moved off wires by a picture e times as large
  UnitPixels scale{least, least};
  std::optional<Scene> best;
  double first_area = 0;
  double least_cost = std::numeric_limits<double>::infinity();
  for (int round = 0, clear_rounds = 0;; ++round) {
    LayoutAttempt attempt(arrangement, label_sizes, scale, busy);
    if (const auto clash = attempt.arrange(round < most_strict); clash && round < most_growths) {
      grow(scale, *clash);
      continue;
    }
    const std::optional<SeparationAxis> preferred = attempt.preferred_growth();
    if (!best) first_area = attempt.area();
    const double cost = attempt.crossed_labels() + worth * static_cast<double>(label_sizes.size()) *
                                                       std::log(std::max(1.0, attempt.area() / first_area));
    if (cost < least_cost) {
      least_cost = cost;
      best = attempt.take();
    }
    if (!preferred || clear_rounds == most_clear || round >= most_growths) return *std::move(best);
    grow(scale, *preferred);
    ++clear_rounds;
  }
}

Scene dense_scene_of(const Arrangement& arrangement, const std::vector<PixelSize>& label_sizes, double scale) {
  UnitPixels unit{scale, scale};
  for (int round = 0;; ++round) {
    LayoutAttempt attempt(arrangement, label_sizes, unit, {});
    const auto clash = attempt.arrange(round < most_strict, LabelPolicy::optional);
    if (!clash || round >= most_growths) return attempt.take();
    grow(unit, *clash);
  }
}

}  // namespace tutti::draw
