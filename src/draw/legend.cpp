#include "draw/legend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/colors.hpp"

namespace tutti::draw {
namespace {

constexpr double row_height = 18;
constexpr double sign_width = 24;
constexpr double sign_gap = 5;
constexpr double key_gap = 18;
constexpr double letters = 11;
constexpr std::string_view ink = "#222222";
constexpr std::string_view gray = "#6a6a6a";

bool any_changed(const Frames& frames) {
  return std::any_of(frames.shown.begin(), frames.shown.end(), [](const Frame& frame) {
    return std::any_of(frame.ranks.begin(), frame.ranks.end(),
                       [](const RankFrame& rank) { return rank.before != rank.after; });
  });
}

void add_colors(std::vector<Key>& keys, const Frames& frames, Coloring coloring) {
  if (coloring == Coloring::apart) {
    keys.push_back({Sign::arrow, distinct_colors[0], "a message; colors only tell messages apart"});
    return;
  }
  for (const bool combined : {false, true}) {
    if (has_arrow(frames, combined))
      keys.push_back({Sign::arrow, color_of(combined), std::string(meaning_of_color(combined))});
  }
}

void add_nodes(std::vector<Key>& keys, const Frames& frames) {
  const auto most = std::max_element(frames.nodes.begin(), frames.nodes.end());
  const std::size_t nodes = most == frames.nodes.end() ? 0 : static_cast<std::size_t>(*most) + 1;
  for (std::size_t node = 0; node < std::min(nodes, distinct_tints.size()); ++node)
    keys.push_back({Sign::rank, distinct_tints[node], fmt::format("a rank of node {}", node)});
  if (nodes > distinct_tints.size()) keys.back().text += ", and so on in turn";
}

}  // namespace

std::vector<Key> keys_of(const Frames& frames, const Arrangement& arrangement, Coloring coloring) {
  std::vector<Key> keys;
  if (!frames.shown.empty()) {
    add_colors(keys, frames, coloring);
    keys.push_back({Sign::number, keys.empty() ? distinct_colors[0] : keys.front().color, "its number in the step"});
  }
  if (any_changed(frames)) {
    keys.push_back({Sign::bold, ink, "what the step changed"});
    keys.push_back({Sign::gray, gray, "what stayed"});
  }
  add_nodes(keys, frames);
  const auto& vertices = arrangement.vertices;
  if (std::any_of(vertices.begin(), vertices.end(), [](const Vertex& vertex) { return vertex.is_switch; }))
    keys.push_back({Sign::switch_box, "#d8dce0", "a switch"});
  const auto& wires = arrangement.wires;
  if (std::any_of(wires.begin(), wires.end(), [](const Wire& wire) { return wire.lanes > 1; }))
    keys.push_back({Sign::wire, "#c4c8cc", "a cable of several lanes"});
  return keys;
}

Legend::Legend(std::vector<Key> keys, double width) : keys_(std::move(keys)) {
  Point next{0, 0};
  for (const Key& key : keys_) {
    const double needed = sign_width + sign_gap + width_of(key.text, letters);
    if (next.x > 0 && next.x + needed > width) next = {0, next.y + row_height};
    places_.push_back(next);
    extent_.width = std::max(extent_.width, next.x + needed);
    next.x += needed + key_gap;
  }
  if (!keys_.empty()) extent_.height = next.y + row_height;
}

void Legend::draw(Svg& svg, Point corner) const {
  svg.begin_group("legend", "What colors and signs mean");
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const Key& key = keys_[k];
    const Point at{corner.x + places_[k].x, corner.y + places_[k].y};
    const double middle = at.y + row_height / 2;
    switch (key.sign) {
      case Sign::arrow:
      case Sign::trunk: {
        const bool broad = key.sign == Sign::trunk;
        const double half = broad ? trunk_head / 2 : head_width / 2;
        const Point back{at.x + sign_width - 8, middle};
        svg.line({at.x, middle}, {back.x + 1, middle}, {.color = key.color, .width = broad ? trunk_width : 2});
        svg.polygon({{at.x + sign_width, middle}, {back.x, middle - half}, {back.x, middle + half}}, key.color);
        break;
      }
      case Sign::number:
        svg.pill({at.x + 6, middle - 6}, 12, 12, key.color, {.color = key.color, .width = 0});
        svg.text({at.x + 12, middle + 3}, "1", {.size = 9, .anchor = Anchor::middle, .color = "#ffffff", .bold = true});
        break;
      case Sign::bold:
      case Sign::gray:
        svg.text({at.x + sign_width / 2, middle + 4}, "abc",
                 {.size = letters, .anchor = Anchor::middle, .color = key.color, .bold = key.sign == Sign::bold});
        break;
      case Sign::rank:
        svg.pill({at.x, middle - 7}, sign_width, 14, key.color, {.color = "#333333", .width = 1});
        break;
      case Sign::switch_box:
        svg.rectangle({at.x, middle - 7}, sign_width, 14, key.color);
        break;
      case Sign::wire:
        svg.line({at.x, middle}, {at.x + sign_width, middle}, {.color = key.color, .width = 3});
        break;
    }
    svg.text({at.x + sign_width + sign_gap, middle + 4}, key.text, {.size = letters, .color = ink});
  }
  svg.end_group();
}

}  // namespace tutti::draw
