#include "draw/steps/arrow_labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::draw {
namespace {

constexpr double band_height = 16;  // about a label's
constexpr double arrow_gap = 2.5;   // between a label and the arrows of its link
constexpr double fine = 3;          // between points that stand for an arrow

int band_of(double y) { return static_cast<int>(std::floor(y / band_height)); }

}  // namespace

std::pair<int, double> ArrowLabels::band_and_left(const Point& point) { return {band_of(point.y), point.x}; }

std::pair<int, int> ArrowLabels::ends_of(const ArrowHop& hop) { return std::minmax(hop.from, hop.to); }

ArrowLabels::ArrowLabels(const Scene& scene, const std::vector<Box>& taken,
                         const std::vector<std::pair<ArrowHop, double>>& lines) {
  const auto occupy = [&](const Box& box) {
    for (int band = band_of(box.top); band <= band_of(box.bottom); ++band) occupied_[band].push_back(box);
  };
  for (const Box& box : taken) {
    if (box.width() > 0) occupy(box);
  }
  for (const Box& box : scene.bodies) occupy(box);
  for (const auto& [hop, half] : lines) {
    const std::size_t link = links_.emplace(ends_of(hop), links_.size()).first->second;
    directions_.emplace(hop.from, hop.to);
    for (const double aside : {-half, half}) {
      for (const Point& point : shifted(hop.curve, aside).samples(fine)) arrow_points_.push_back({point, link});
    }
  }
  std::stable_sort(arrow_points_.begin(), arrow_points_.end(),
                   [](const ArrowPoint& a, const ArrowPoint& b) { return band_and_left(a.at) < band_and_left(b.at); });
}

bool ArrowLabels::is_occupied(const Box& box) const {
  for (auto band = occupied_.lower_bound(band_of(box.top)); band != occupied_.end(); ++band) {
    if (band->first > band_of(box.bottom)) return false;
    const auto over = [&](const Box& other) { return overlap(box, other); };
    if (std::any_of(band->second.begin(), band->second.end(), over)) return true;
  }
  return false;
}

template <typename Counts>
bool ArrowLabels::any_arrow_point(const Box& box, const Counts& counts) const {
  const auto before = [](const ArrowPoint& point, const std::pair<int, double>& place) {
    return band_and_left(point.at) < place;
  };
  for (int band = band_of(box.top); band <= band_of(box.bottom); ++band) {
    auto at = std::lower_bound(arrow_points_.begin(), arrow_points_.end(), std::pair(band, box.left), before);
    for (; at != arrow_points_.end() && band_and_left(at->at) <= std::pair(band, box.right); ++at) {
      if (box.holds(at->at) && counts(*at)) return true;
    }
  }
  return false;
}

bool ArrowLabels::has_room(const Box& box, const ArrowHop& hop) const {
  if (is_occupied(box)) return false;
  const std::size_t own = links_.at(ends_of(hop));
  const auto is_own = [&](const ArrowPoint& point) { return point.link == own; };
  const Box near = grown(box, arrow_gap + fine);
  return !any_arrow_point(grown(box, fine / 2), [](const ArrowPoint&) { return true; }) &&
         any_arrow_point(near, is_own) &&
         !any_arrow_point(near, [&](const ArrowPoint& point) { return !is_own(point); });
}

// A label beside the middle of a long hop is best known to be that hop's. One on its other side is taken for that of the
// arrow that comes back, if there is one: better at the end of its own.
std::optional<Box> ArrowLabels::place(const std::vector<ArrowHop>& hops, double width) {
  std::optional<Box> best;
  double least = std::numeric_limits<double>::infinity();
  for (const ArrowHop& hop : hops) {
    const double other_side = directions_.contains({hop.to, hop.from}) ? 2 : 0.3;
    const double length = std::hypot(hop.wire.to.x - hop.wire.from.x, hop.wire.to.y - hop.wire.from.y);
    for (const double t : {0.45, 0.55, 0.37, 0.63, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85}) {
      const Point along = hop.wire.direction(t);
      const Point on = hop.wire.at(t);
      const double half = std::abs(along.y) * width / 2 + std::abs(along.x) * label_height / 2 + arrow_gap;
      for (const double aside : {hop.right + half, -hop.left - half}) {
        const double worse = 4 * std::abs(t - 0.45) + (aside < 0 ? other_side : 0) - 0.01 * length;
        if (worse >= least) continue;
        const Box box = centered({on.x - aside * along.y, on.y + aside * along.x}, width, label_height);
        if (!has_room(box, hop)) continue;
        least = worse;
        best = box;
      }
    }
  }
  if (!best) return std::nullopt;
  for (int band = band_of(best->top); band <= band_of(best->bottom); ++band) occupied_[band].push_back(*best);
  return best;
}

}  // namespace tutti::draw
