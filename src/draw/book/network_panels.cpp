#include "draw/book/network_panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "draw/scene/scene_layout.hpp"
#include "draw/steps/arrows.hpp"
#include "draw/steps/panel.hpp"
#include "draw/steps/rank_contents.hpp"

namespace tutti::draw {
namespace {

constexpr std::array scales{56.0, 66.0, 78.0, 92.0, 108.0, 126.0, 148.0, 174.0};
constexpr double group_margin = 7;
constexpr double panel_edge = 3;  // about a panel, for the breadth of lines
constexpr std::string_view black = "#000000";
constexpr std::string_view arrow_dashes = "4 2.5";

/// Panels at one scale: their scene, and everything in its place.
struct PrintedPanels {
  ScheduleFrames frames;  // the panels' frames, for what stands beside ranks
  std::vector<NetworkPanel> panels;
  Arrangement arrangement;
  Scene scene;
  std::vector<Panel> placed;
  Box bounds;
};

std::size_t flaws_of(const Panel& panel) { return panel.listed.size() + panel.held.size(); }

Panel placed_panel(const PrintedPanels& printed, const Frame& frame, bool is_numbered) {
  const RankContents contents(printed.frames, printed.arrangement);
  Panel panel{.title = {}, .frame = &frame};
  panel.drawn = place_arrows(frame, printed.arrangement, printed.scene, Coloring::by_kind);
  for (DrawnArrow& arrow : panel.drawn.arrows) {
    arrow.color = black;
    arrow.dashes = arrow_dashes;
  }
  panel.scene = contents.beside_vertices(frame, true, printed.scene, points_along(panel.drawn));
  panel.held = contents.without_room(frame, true, panel.scene);
  const bool says_what =
      std::any_of(frame.arrows.begin(), frame.arrows.end(), [](const Arrow& arrow) { return !arrow.content.empty(); });
  if (!is_numbered && !says_what) return panel;
  name_arrows(panel.drawn, frame, panel.scene, panel.scene.labels, std::nullopt);
  panel.listed = unnamed_in(panel);
  return panel;
}

std::optional<Box> box_of_group(const std::vector<int>& group, const Scene& scene) {
  std::optional<Box> box;
  for (const int rank : group) {
    const auto v = static_cast<std::size_t>(rank);
    const Box& label = scene.labels[v];
    const Box own = label.width() > 0 ? around(scene.bodies[v], label) : Box(scene.bodies[v]);
    box = box ? around(*box, own) : own;
  }
  if (box) box = grown(*box, group_margin);
  return box;
}

Box bounds_of(const NetworkPanel& panel, const Panel& placed, Box box) {
  box = bounds_of(placed.drawn, box);
  for (const Box& label : placed.scene.labels) {
    if (label.width() > 0) box = around(box, label);
  }
  for (const std::vector<int>& group : panel.groups) {
    if (const auto framed = box_of_group(group, placed.scene)) box = around(box, *framed);
  }
  return box;
}

void place_at(PrintedPanels& printed, double scale) {
  const RankContents contents(printed.frames, printed.arrangement);
  printed.scene =
      scene_of(printed.arrangement, contents.label_sizes(), scale, busy_wires(printed.frames, printed.arrangement));
  printed.placed.clear();
  printed.bounds = printed.scene.bounds;
  for (std::size_t k = 0; k < printed.panels.size(); ++k) {
    printed.placed.push_back(placed_panel(printed, printed.frames.shown[k], printed.panels[k].is_numbered));
    printed.bounds = bounds_of(printed.panels[k], printed.placed.back(), printed.bounds);
  }
  printed.bounds = grown(printed.bounds, panel_edge);
}

std::size_t flaws_of(const PrintedPanels& printed) {
  std::size_t flaws = 0;
  for (const Panel& panel : printed.placed) flaws += flaws_of(panel);
  return flaws;
}

// The smallest scale at which everything has a place; where none has, the one with the least without, on a page.
void choose_scale(PrintedPanels& printed, double width) {
  double best = scales.front();
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const double scale : scales) {
    place_at(printed, scale);
    const bool fits = printed.bounds.width() <= width && printed.bounds.height() <= page_area.height;
    if (!fits && scale > scales.front()) break;
    const std::size_t flaws = flaws_of(printed);
    if (flaws < least) best = scale;
    least = std::min(least, flaws);
    if (least == 0) break;
  }
  place_at(printed, best);
}

// Whether a message without a number has no room for what it carries.
bool has_unnamed_contents(const PrintedPanels& printed) {
  for (std::size_t k = 0; k < printed.panels.size(); ++k) {
    if (!printed.panels[k].is_numbered && !printed.placed[k].listed.empty()) return true;
  }
  return false;
}

void draw_groups(Svg& svg, const NetworkPanel& panel, const Scene& scene) {
  std::vector<Box> boxes;
  for (const std::vector<int>& group : panel.groups) {
    if (const auto box = box_of_group(group, scene)) boxes.push_back(*box);
  }
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (overlap(boxes[a], boxes[b])) return;
    }
  }
  for (const Box& box : boxes)
    svg.polyline({{box.left, box.top},
                  {box.right, box.top},
                  {box.right, box.bottom},
                  {box.left, box.bottom},
                  {box.left, box.top}},
                 {.color = black, .width = 1, .dashes = "1.5 3"});
}

void draw_root(Svg& svg, const Body& body) {
  const Box inner = grown(body, -3);
  svg.begin_group("root", "the root");
  svg.pill({inner.left, inner.top}, inner.width(), inner.height(), "none", {.color = black, .width = 1});
  svg.end_group();
}

std::vector<std::string> lines_below(const Panel& placed) {
  std::vector<std::string> lines = placed.listed;
  lines.insert(lines.end(), placed.held.begin(), placed.held.end());
  return lines;
}

// The step's number, bold, and what the message carries.
void draw_numbers(Svg& svg, const Frame& frame, const DrawnStep& drawn, bool is_numbered) {
  for (std::size_t k = 0; k < drawn.arrows.size(); ++k) {
    const Box& box = drawn.arrows[k].label;
    if (box.width() == 0) continue;
    const Arrow& arrow = frame.arrows[k];
    const double room = number_width(arrow);
    const double left = box.left + label_padding;
    if (is_numbered || drawn.arrows[k].named) svg.rectangle({box.left, box.top}, box.width(), box.height(), "#ffffff");
    if (!is_numbered) {
      if (drawn.arrows[k].named)
        svg.text({(box.left + box.right) / 2, box.bottom - 3}, arrow.content,
                 {.size = small_text, .anchor = Anchor::middle, .color = black});
      continue;
    }
    svg.text({left + room / 2, box.bottom - 3}, std::to_string(arrow.number),
             {.size = small_text, .anchor = Anchor::middle, .color = black, .bold = true});
    if (drawn.arrows[k].named)
      svg.text({left + room + number_gap, box.bottom - 3}, arrow.content, {.size = small_text, .color = black});
  }
}

void draw_panel(Svg& svg, const PrintedPanels& printed, std::size_t k) {
  const NetworkPanel& panel = printed.panels[k];
  const Panel& placed = printed.placed[k];
  svg.begin_moved({-printed.bounds.left, -printed.bounds.top});
  draw_groups(svg, panel, placed.scene);
  draw_network(svg, printed.arrangement, printed.scene);
  for (const auto& [a, b] : panel.heavy) {
    const Wire* wire = printed.arrangement.wire_between(a, b);
    if (wire == nullptr) continue;
    const Curve& curve = printed.scene.wires[static_cast<std::size_t>(wire - printed.arrangement.wires.data())];
    const double length = std::hypot(curve.to.x - curve.from.x, curve.to.y - curve.from.y);
    const Curve between = curve.part(std::min(0.4, 17 / length), std::max(0.6, 1 - 17 / length));
    svg.curve(between.from, between.control, between.to, {.color = black, .width = 2.5});
  }
  if (panel.root >= 0) draw_root(svg, printed.scene.bodies[static_cast<std::size_t>(panel.root)]);
  draw_arrows(svg, printed.frames.shown[k], placed.drawn, Unit::elements);
  draw_numbers(svg, printed.frames.shown[k], placed.drawn, panel.is_numbered);
  const RankContents contents(printed.frames, printed.arrangement);
  contents.draw_plain(svg, printed.frames.shown[k], placed.scene, black);
  svg.end_group();
  double y = printed.bounds.height();
  for (const std::string& line : lines_below(placed)) svg.text({0, y += small_line}, line, {.size = small_text});
}

FigurePart part_of(const std::shared_ptr<const PrintedPanels>& printed, std::size_t k) {
  PixelSize size{printed->bounds.width(), printed->bounds.height()};
  for (const std::string& line : lines_below(printed->placed[k])) {
    size.width = std::max(size.width, width_of(line, small_text));
    size.height += small_line;
  }
  return {printed->panels[k].caption, size, [printed, k](Svg& svg) { draw_panel(svg, *printed, k); }};
}

}  // namespace

std::vector<FigurePart> parts_of(std::vector<NetworkPanel> panels, const Arrangement& arrangement, double width) {
  const auto printed = std::make_shared<PrintedPanels>();
  printed->arrangement = arrangement;
  printed->panels = std::move(panels);
  for (const NetworkPanel& panel : printed->panels) printed->frames.shown.push_back(panel.frame);
  choose_scale(*printed, width);
  if (has_unnamed_contents(*printed)) {
    for (std::size_t k = 0; k < printed->panels.size(); ++k) {
      for (Arrow& arrow : printed->frames.shown[k].arrows) arrow.content.clear();
    }
    choose_scale(*printed, width);
  }
  std::vector<FigurePart> parts;
  for (std::size_t k = 0; k < printed->panels.size(); ++k) parts.push_back(part_of(printed, k));
  return parts;
}

std::vector<std::vector<int>> groups_of(const std::vector<const Frame*>& frames, int ranks) {
  std::vector<int> leader(static_cast<std::size_t>(ranks));
  std::iota(leader.begin(), leader.end(), 0);
  const auto leader_of = [&](int rank) {
    while (leader[static_cast<std::size_t>(rank)] != rank) rank = leader[static_cast<std::size_t>(rank)];
    return rank;
  };
  for (const Frame* frame : frames) {
    for (const Arrow& arrow : frame->arrows) {
      const std::pair<int, int> leaders = std::minmax({leader_of(arrow.from), leader_of(arrow.to)});
      leader[static_cast<std::size_t>(leaders.second)] = leaders.first;
    }
  }
  std::vector<std::vector<int>> groups(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) groups[static_cast<std::size_t>(leader_of(rank))].push_back(rank);
  std::erase_if(groups, [](const std::vector<int>& group) { return group.size() < 2; });
  return groups.size() > 1 ? groups : std::vector<std::vector<int>>{};
}

}  // namespace tutti::draw
