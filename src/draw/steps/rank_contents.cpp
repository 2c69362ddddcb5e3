#include "draw/steps/rank_contents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "draw/scene/label_places.hpp"

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

// Returns the place of line `line` of the vertex's label.
Point line_place(const Scene& scene, std::size_t vertex, std::size_t line) {
  const Box& label = scene.labels[vertex];
  const Anchor anchor = scene.alignment[vertex];
  const double x = anchor == Anchor::start ? label.left
                   : anchor == Anchor::end ? label.right
                                           : (label.left + label.right) / 2;
  return {x, label.top + static_cast<double>(line + 1) * small_line - 3};
}

void draw_lines(Svg& svg, const Scene& scene, std::size_t vertex, const std::vector<std::string>& lines,
                std::string_view color, bool bold) {
  if (scene.labels[vertex].width() == 0) return;
  for (std::size_t k = 0; k < lines.size(); ++k)
    svg.text(line_place(scene, vertex, k), lines[k], style(scene, vertex, color, bold));
}

// The part of the vertex's label that words of this extent take.
Box part_of_label(const Scene& scene, std::size_t vertex, const PixelSize& size) {
  const Box& label = scene.labels[vertex];
  if (size.height == 0 || label.width() == 0) return {};
  const double slack = label.width() - size.width;
  const Anchor anchor = scene.alignment[vertex];
  const double left = label.left + (anchor == Anchor::start ? 0 : anchor == Anchor::end ? slack : slack / 2);
  const double top = grows_up(scene, vertex) ? label.bottom - size.height : label.top;
  return {left, top, left + size.width, top + size.height};
}

}  // namespace

bool any_contents(const ScheduleFrames& frames) {
  return std::any_of(frames.shown.begin(), frames.shown.end(), [](const Frame& frame) {
    return std::any_of(frame.ranks.begin(), frame.ranks.end(),
                       [](const RankFrame& rank) { return !rank.before.empty() || !rank.after.empty(); });
  });
}

ScheduleFrames without_contents(ScheduleFrames frames) {
  for (Frame& frame : frames.shown) {
    for (RankFrame& rank : frame.ranks) rank.before = rank.after = {};
  }
  frames.notes.emplace_back("There is no room for what ranks hold; a page, FILE.html, shows it.");
  return frames;
}

std::vector<PixelSize> RankContents::label_sizes() const {
  std::vector<PixelSize> found(arrangement_.vertices.size());
  for (std::size_t v = 0; v < found.size(); ++v) {
    PixelSize& size = found[v];
    for (const Frame& frame : frames_.shown) {
      if (v >= frame.ranks.size()) continue;
      for (const bool before : {true, false}) {
        const PixelSize needed = size_of_lines(held(frame.ranks[v], before));
        size = {std::max(size.width, needed.width), std::max(size.height, needed.height)};
      }
    }
  }
  return found;
}

Scene RankContents::beside_vertices(const Frame& frame, bool before, const Scene& scene,
                                    const std::vector<Point>& arrows) const {
  Scene fitted = scene;
  std::vector<PixelSize> label_sizes(scene.labels.size());
  for (std::size_t v = 0; v < label_sizes.size(); ++v) {
    if (v < frame.ranks.size()) label_sizes[v] = size_of_lines(held(frame.ranks[v], before));
    fitted.labels[v] = part_of_label(scene, v, label_sizes[v]);
  }
  return off_lines(std::move(fitted), label_sizes, arrows);
}

std::vector<std::string> RankContents::without_room(const Frame& frame, bool before, const Scene& scene) const {
  std::vector<std::string> lines;
  for (std::size_t v = 0; v < frame.ranks.size(); ++v) {
    const std::vector<std::string>& words = held(frame.ranks[v], before);
    if (!words.empty() && scene.labels[v].width() == 0)
      lines.push_back(fmt::format("{} holds {}", v, fmt::join(words, "; ")));
  }
  return lines;
}

void RankContents::draw(Svg& svg, const Frame& frame, bool before, const Scene& scene) const {
  for (std::size_t v = 0; v < frame.ranks.size(); ++v) {
    const RankFrame& rank = frame.ranks[v];
    const bool changed = !before && rank.before != rank.after;
    draw_lines(svg, scene, v, held(rank, before), changed ? loud : quiet, changed);
  }
}

void RankContents::draw_plain(Svg& svg, const Frame& frame, const Scene& scene, std::string_view color) const {
  for (std::size_t v = 0; v < frame.ranks.size(); ++v) draw_lines(svg, scene, v, frame.ranks[v].before, color, false);
}

}  // namespace tutti::draw
