#include "draw/labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::draw {
namespace {

constexpr double band_height = 16;  // about a label's
constexpr double gap = 2.5;         // between a label and the arrows of its link
constexpr double fine = 3;          // between points that stand for an arrow

int band_of(double y) { return static_cast<int>(std::floor(y / band_height)); }

}  // namespace

std::pair<int, double> Labels::band_and_left(const Point& point) { return {band_of(point.y), point.x}; }

std::pair<int, int> Labels::ends_of(const Hop& hop) { return std::minmax(hop.from, hop.to); }

Labels::Labels(const Scene& scene, const std::vector<Box>& taken, const std::vector<std::pair<Hop, double>>& lines) {
  const auto take = [&](const Box& box) {
    for (int band = band_of(box.top); band <= band_of(box.bottom); ++band) taken_[band].push_back(box);
  };
  for (const Box& box : taken) {
    if (box.width() > 0) take(box);
  }
  for (const Box& box : scene.bodies) take(box);
  for (const auto& [hop, half] : lines) {
    const std::size_t link = links_.emplace(ends_of(hop), links_.size()).first->second;
    for (const double aside : {-half, half}) {
      for (const Point& point : shifted(hop.curve, aside).samples(fine)) ink_.push_back({point, link});
    }
  }
  std::sort(ink_.begin(), ink_.end(),
            [](const Ink& a, const Ink& b) { return band_and_left(a.at) < band_and_left(b.at); });
}

bool Labels::is_taken(const Box& box) const {
  for (auto band = taken_.lower_bound(band_of(box.top)); band != taken_.end(); ++band) {
    if (band->first > band_of(box.bottom)) return false;
    const auto over = [&](const Box& other) { return overlap(box, other); };
    if (std::any_of(band->second.begin(), band->second.end(), over)) return true;
  }
  return false;
}

template <typename Counts>
bool Labels::any_ink(const Box& box, const Counts& counts) const {
  const auto before = [](const Ink& ink, const std::pair<int, double>& place) { return band_and_left(ink.at) < place; };
  for (int band = band_of(box.top); band <= band_of(box.bottom); ++band) {
    auto at = std::lower_bound(ink_.begin(), ink_.end(), std::pair(band, box.left), before);
    for (; at != ink_.end() && band_and_left(at->at) <= std::pair(band, box.right); ++at) {
      if (box.holds(at->at) && counts(*at)) return true;
    }
  }
  return false;
}

bool Labels::has_room(const Box& box, const Hop& hop) const {
  if (is_taken(box)) return false;
  const std::size_t own = links_.at(ends_of(hop));
  const auto is_own = [&](const Ink& ink) { return ink.link == own; };
  const Box near = grown(box, gap + fine);
  return !any_ink(grown(box, fine / 2), [](const Ink&) { return true; }) && any_ink(near, is_own) &&
         !any_ink(near, [&](const Ink& ink) { return !is_own(ink); });
}

// A label beside the middle of a long hop is best known to be that hop's.
std::optional<Box> Labels::place(const std::vector<Hop>& hops, double width) {
  std::optional<Box> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Hop& hop : hops) {
    const double length = std::hypot(hop.wire.to.x - hop.wire.from.x, hop.wire.to.y - hop.wire.from.y);
    for (const double t : {0.45, 0.55, 0.37, 0.63, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85}) {
      const Point along = hop.wire.direction(t);
      const Point on = hop.wire.at(t);
      const double half = std::abs(along.y) * width / 2 + std::abs(along.x) * label_height / 2 + gap;
      for (const double aside : {hop.right + half, -hop.left - half}) {
        const double worse = 4 * std::abs(t - 0.45) + (aside < 0 ? 0.3 : 0) - 0.01 * length;
        if (worse >= least) continue;
        const Box box = centered({on.x - aside * along.y, on.y + aside * along.x}, width, label_height);
        if (!has_room(box, hop)) continue;
        least = worse;
        best = box;
      }
    }
  }
  if (!best) return std::nullopt;
  for (int band = band_of(best->top); band <= band_of(best->bottom); ++band) taken_[band].push_back(*best);
  return best;
}

}  // namespace tutti::draw
