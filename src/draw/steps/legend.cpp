#include "draw/steps/legend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/colors.hpp"

namespace tutti::draw {
namespace {

constexpr double row_height = 18;
constexpr double sign_width = 24;
constexpr double sign_gap = 5;
constexpr double key_gap = 18;
constexpr double legend_letters = 11;
constexpr std::string_view ink = "#222222";
constexpr std::string_view gray = "#6a6a6a";

bool any_changed(const ScheduleFrames& frames) {
  return std::any_of(frames.shown.begin(), frames.shown.end(), [](const Frame& frame) {
    return std::any_of(frame.ranks.begin(), frame.ranks.end(),
                       [](const RankFrame& rank) { return rank.before != rank.after; });
  });
}

void add_colors(std::vector<LegendEntry>& entries, const ScheduleFrames& frames, Coloring coloring) {
  if (coloring == Coloring::distinct) {
    entries.push_back({LegendSign::arrow, distinct_colors[0], "a message; colors only tell messages apart"});
    return;
  }
  for (const bool combined : {false, true}) {
    if (has_arrow(frames, combined))
      entries.push_back(
          {LegendSign::arrow, color_of(combined), std::string(meaning_of_color(combined)), dashes_of(combined)});
  }
}

void add_nodes(std::vector<LegendEntry>& entries, const ScheduleFrames& frames) {
  const auto most = std::max_element(frames.nodes.begin(), frames.nodes.end());
  const std::size_t nodes = most == frames.nodes.end() ? 0 : static_cast<std::size_t>(*most) + 1;
  for (std::size_t node = 0; node < std::min(nodes, distinct_tints.size()); ++node)
    entries.push_back({LegendSign::rank, distinct_tints[node], fmt::format("a rank of node {}", node)});
  if (nodes > distinct_tints.size()) entries.back().text += ", and so on in turn";
}

}  // namespace

std::vector<LegendEntry> legend_entries_of(const ScheduleFrames& frames, const Arrangement& arrangement,
                                           Coloring coloring) {
  std::vector<LegendEntry> entries;
  if (!frames.shown.empty()) {
    add_colors(entries, frames, coloring);
    entries.push_back(
        {LegendSign::number, entries.empty() ? distinct_colors[0] : entries.front().color, "its number in the step"});
  }
  if (any_changed(frames)) {
    entries.push_back({LegendSign::bold, ink, "what the step changed"});
    entries.push_back({LegendSign::gray, gray, "what stayed"});
  }
  add_nodes(entries, frames);
  const auto& vertices = arrangement.vertices;
  if (std::any_of(vertices.begin(), vertices.end(), [](const Vertex& vertex) { return vertex.is_switch; }))
    entries.push_back({LegendSign::switch_box, "#d8dce0", "a switch"});
  const auto& wires = arrangement.wires;
  if (std::any_of(wires.begin(), wires.end(), [](const Wire& wire) { return wire.lanes > 1; }))
    entries.push_back({LegendSign::wire, "#c4c8cc", "a cable of several lanes"});
  return entries;
}

Legend::Legend(std::vector<LegendEntry> entries, double width) : entries_(std::move(entries)) {
  Point next{0, 0};
  for (const LegendEntry& entry : entries_) {
    const double needed = sign_width + sign_gap + width_of(entry.text, legend_letters);
    if (next.x > 0 && next.x + needed > width) next = {0, next.y + row_height};
    places_.push_back(next);
    size_.width = std::max(size_.width, next.x + needed);
    next.x += needed + key_gap;
  }
  if (!entries_.empty()) size_.height = next.y + row_height;
}

void Legend::draw(Svg& svg, Point corner) const {
  svg.begin_group("legend", "What colors and signs mean");
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const LegendEntry& entry = entries_[k];
    const Point at{corner.x + places_[k].x, corner.y + places_[k].y};
    const double middle = at.y + row_height / 2;
    switch (entry.sign) {
      case LegendSign::arrow:
      case LegendSign::trunk: {
        const bool broad = entry.sign == LegendSign::trunk;
        const double half = broad ? trunk_head / 2 : head_width / 2;
        const Point back{at.x + sign_width - 8, middle};
        svg.line({at.x, middle}, {back.x + 1, middle},
                 {.color = entry.color, .width = broad ? trunk_width : 2, .dashes = entry.dashes});
        svg.polygon({{at.x + sign_width, middle}, {back.x, middle - half}, {back.x, middle + half}}, entry.color);
        break;
      }
      case LegendSign::number:
        svg.pill({at.x + 6, middle - 6}, 12, 12, entry.color, {.color = entry.color, .width = 0});
        svg.text({at.x + 12, middle + 3}, "1", {.size = 9, .anchor = Anchor::middle, .color = "#ffffff", .bold = true});
        break;
      case LegendSign::bold:
      case LegendSign::gray:
        svg.text({at.x + sign_width / 2, middle + 4}, "abc",
                 {.size = legend_letters,
                  .anchor = Anchor::middle,
                  .color = entry.color,
                  .bold = entry.sign == LegendSign::bold});
        break;
      case LegendSign::rank:
        svg.pill({at.x, middle - 7}, sign_width, 14, entry.color, {.color = "#333333", .width = 1});
        break;
      case LegendSign::switch_box:
        svg.rectangle({at.x, middle - 7}, sign_width, 14, entry.color);
        break;
      case LegendSign::wire:
        svg.line({at.x, middle}, {at.x + sign_width, middle}, {.color = entry.color, .width = 3});
        break;
    }
    svg.text({at.x + sign_width + sign_gap, middle + 4}, entry.text, {.size = legend_letters, .color = ink});
  }
  svg.end_group();
}

}  // namespace tutti::draw
