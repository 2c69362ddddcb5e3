#include "draw/holdings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

// Where line `line` of the vertex's label stands.
Point line_place(const Scene& scene, std::size_t vertex, std::size_t line) {
  const Box& label = scene.labels[vertex];
  const Anchor anchor = scene.alignment[vertex];
  const double x = anchor == Anchor::start ? label.left
                   : anchor == Anchor::end ? label.right
                                           : (label.left + label.right) / 2;
  return {x, label.top + static_cast<double>(line + 1) * small_line - 3};
}

// The part of the vertex's label that words of this extent take.
Box part_of_label(const Scene& scene, std::size_t vertex, const Extent& extent) {
  const Box& label = scene.labels[vertex];
  if (extent.height == 0 || label.width() == 0) return {};
  const double slack = label.width() - extent.width;
  const Anchor anchor = scene.alignment[vertex];
  const double left = label.left + (anchor == Anchor::start ? 0 : anchor == Anchor::end ? slack : slack / 2);
  const double top = grows_up(scene, vertex) ? label.bottom - extent.height : label.top;
  return {left, top, left + extent.width, top + extent.height};
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

Scene Holdings::around(const Frame& frame, bool before, const Scene& scene, const std::vector<Point>& arrows) const {
  Scene fitted = scene;
  std::vector<Extent> extents(scene.labels.size());
  for (std::size_t v = 0; v < extents.size(); ++v) {
    if (v < frame.ranks.size()) extents[v] = extent_of(held(frame.ranks[v], before));
    fitted.labels[v] = part_of_label(scene, v, extents[v]);
  }
  return off_lines(std::move(fitted), extents, arrows);
}

std::vector<std::string> Holdings::without_room(const Frame& frame, bool before, const Scene& scene) const {
  std::vector<std::string> lines;
  for (std::size_t v = 0; v < frame.ranks.size(); ++v) {
    const std::vector<std::string>& words = held(frame.ranks[v], before);
    if (!words.empty() && scene.labels[v].width() == 0)
      lines.push_back(fmt::format("{} holds {}", v, fmt::join(words, "; ")));
  }
  return lines;
}

void Holdings::draw(Svg& svg, const Frame& frame, bool before, const Scene& scene) const {
  for (std::size_t v = 0; v < frame.ranks.size(); ++v) {
    if (scene.labels[v].width() == 0) continue;
    const RankFrame& rank = frame.ranks[v];
    const std::vector<std::string>& lines = held(rank, before);
    const bool changed = !before && rank.before != rank.after;
    for (std::size_t k = 0; k < lines.size(); ++k)
      svg.text(line_place(scene, v, k), lines[k], style(scene, v, changed ? loud : quiet, changed));
  }
}

}  // namespace tutti::draw
