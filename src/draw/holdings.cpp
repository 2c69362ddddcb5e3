#include "draw/holdings.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "draw/places.hpp"

namespace tutti::draw {
namespace {

constexpr std::string_view quiet = "#6a6a6a";
constexpr std::string_view loud = "#111111";

const std::vector<std::string>& held(const RankFrame& rank, bool before) { return before ? rank.before : rank.after; }

// Whether a label is above its vertex, so that its last line is next to it.
bool grows_up(const Scene& scene, std::size_t vertex) {
  return scene.labels[vertex].bottom <= scene.bodies[vertex].top;
}

TextStyle style(const Scene& scene, std::size_t vertex, std::string_view color, bool bold) {
  return {.size = small_text, .anchor = scene.alignment[vertex], .color = color, .bold = bold, .halo = true};
}

// Where line `line` of the vertex's label stands, of `lines` in all.
Point line_place(const Scene& scene, std::size_t vertex, std::size_t line, std::size_t lines) {
  const Box& label = scene.labels[vertex];
  const Anchor anchor = scene.alignment[vertex];
  const double x = anchor == Anchor::start ? label.left
                   : anchor == Anchor::end ? label.right
                                           : (label.left + label.right) / 2;
  const double top = grows_up(scene, vertex) ? label.bottom - static_cast<double>(lines) * small_line : label.top;
  return {x, top + static_cast<double>(line + 1) * small_line - 3};
}

}  // namespace

bool any_held(const Frames& frames) {
  return std::any_of(frames.shown.begin(), frames.shown.end(), [](const Frame& frame) {
    return std::any_of(frame.ranks.begin(), frame.ranks.end(),
                       [](const RankFrame& rank) { return !rank.before.empty() || !rank.after.empty(); });
  });
}

Frames without_holdings(Frames frames) {
  for (Frame& frame : frames.shown) {
    for (RankFrame& rank : frame.ranks) rank.before = rank.after = {};
  }
  frames.notes.emplace_back("What ranks hold is left out for lack of room; a page, FILE.html, tells it.");
  return frames;
}

std::vector<Extent> Holdings::extents() const {
  std::vector<Extent> found(arrangement_.vertices.size());
  for (std::size_t v = 0; v < found.size(); ++v) {
    Extent& extent = found[v];
    for (const Frame& frame : frames_.shown) {
      if (v >= frame.ranks.size()) continue;
      for (const bool before : {true, false}) {
        const Extent needed = extent_of(held(frame.ranks[v], before));
        extent = {std::max(extent.width, needed.width), std::max(extent.height, needed.height)};
      }
    }
  }
  return found;
}

Scene Holdings::off_arrows(const Frame& frame, const Scene& scene, const std::vector<Point>& arrows) const {
  std::vector<Extent> movable(scene.labels.size());
  for (std::size_t v = 0; v < std::min(movable.size(), frame.ranks.size()); ++v) {
    movable[v] = extent_of(frame.ranks[v].after);
  }
  return off_lines(scene, movable, arrows);
}

std::vector<Box> Holdings::boxes(const Frame& frame, const Scene& scene) const {
  std::vector<Box> boxes;
  for (std::size_t v = 0; v < scene.labels.size(); ++v) {
    const Extent extent = v < frame.ranks.size() ? extent_of(frame.ranks[v].after) : Extent{};
    const Box& label = scene.labels[v];
    if (extent.height == 0 || label.width() == 0) continue;
    const double slack = label.width() - extent.width;
    const Anchor anchor = scene.alignment[v];
    const double left = label.left + (anchor == Anchor::start ? 0 : anchor == Anchor::end ? slack : slack / 2);
    const double top = grows_up(scene, v) ? label.bottom - extent.height : label.top;
    boxes.push_back({left, top, left + extent.width, top + extent.height});
  }
  return boxes;
}

void Holdings::draw(Svg& svg, const Frame& frame, bool before, const Scene& scene) const {
  for (std::size_t v = 0; v < frame.ranks.size(); ++v) {
    const RankFrame& rank = frame.ranks[v];
    const std::vector<std::string>& lines = held(rank, before);
    const bool changed = !before && rank.before != rank.after;
    for (std::size_t k = 0; k < lines.size(); ++k)
      svg.text(line_place(scene, v, k, lines.size()), lines[k], style(scene, v, changed ? loud : quiet, changed));
  }
}

}  // namespace tutti::draw
