#include "draw/timeline/packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "draw/colors.hpp"
#include "draw/svg.hpp"
#include "draw/timeline/timeline_selection.hpp"

namespace tutti::draw {
namespace {

constexpr double packet_edge = 24;
constexpr double title_letters = 16;
constexpr double packet_letters = 12;
constexpr double row_height = 22;
constexpr double bar_height = 16;
constexpr double panel_gap = 30;
constexpr double time_width = 640;
constexpr double axis_height = 2.2 * packet_letters;

double latest(std::span<const PacketPanel> panels) {
  double end = 0;
  for (const PacketPanel& panel : panels) end = std::max(end, panel.end);
  return end;
}

double name_width(std::span<const std::string> links) {
  double width = 0;
  for (const std::string& link : links) width = std::max(width, width_of(link, packet_letters));
  return width + 12;
}

/// Place of one panel in the drawing.
struct PanelPlace {
  double left = 0;   // x of time 0
  double top = 0;    // y of the first row
  double scale = 0;  // pixels a second
};

void draw_bar(Svg& svg, const PacketBar& bar, const PanelPlace& place) {
  const double x = place.left + bar.begin * place.scale;
  const double width = std::max(1.0, (bar.end - bar.begin) * place.scale);
  const double y = place.top + static_cast<double>(bar.hop) * row_height + (row_height - bar_height) / 2;
  const auto tint = static_cast<std::size_t>(std::max(bar.packet - 1, 0)) % distinct_tints.size();
  const std::string_view color = bar.packet == 0 ? "#c4c4c4" : distinct_tints[tint];
  svg.rectangle({x, y}, std::max(0.5, width - 1), bar_height, color);
  const std::string number = bar.packet == 0 ? "h" : fmt::format("{}", bar.packet);
  if (width > width_of(number, packet_letters) + 4)
    svg.text({x + width / 2, y + bar_height - 4}, number, {.size = packet_letters, .anchor = Anchor::middle});
}

void draw_panel(Svg& svg, std::span<const std::string> links, const PacketPanel& panel, const PanelPlace& place) {
  svg.begin_group("panel", panel.title);
  svg.text({packet_edge, place.top - 8}, panel.title, {.size = 13, .bold = true});
  for (std::size_t hop = 0; hop < links.size(); ++hop) {
    const double y = place.top + static_cast<double>(hop) * row_height;
    svg.line({place.left, y + row_height}, {place.left + time_width, y + row_height}, {.color = "#dddddd"});
    svg.text({place.left - 8, y + row_height - 7}, links[hop], {.size = packet_letters, .anchor = Anchor::end});
  }
  const double bottom = place.top + static_cast<double>(links.size()) * row_height;
  for (const double time : {panel.prepared, panel.end}) {
    const double x = place.left + time * place.scale;
    svg.line({x, place.top}, {x, bottom}, {.color = "#555555", .dashes = "3 3"});
  }
  for (const PacketBar& bar : panel.bars) draw_bar(svg, bar, place);
  svg.end_group();
}

// Below all panels, with lines through them at its marks.
void draw_time_axis(Svg& svg, double end, double left, double top, double bottom) {
  svg.begin_group("axis", "time");
  for (const double mark : even_marks(end)) {
    const double x = left + mark / end * time_width;
    svg.line({x, top}, {x, bottom + 5}, {.color = "#dddddd"});
    svg.text({x, bottom + 5 + packet_letters}, mark == 0 ? "0" : text_of(Seconds{mark}),
             {.size = packet_letters, .anchor = Anchor::middle});
  }
  svg.text({left - 8, bottom + 5 + packet_letters}, "time", {.size = packet_letters, .anchor = Anchor::end});
  svg.end_group();
}

}  // namespace

std::string svg_of_packets(std::string_view title, std::span<const std::string> links,
                           std::span<const PacketPanel> panels) {
  const std::string_view note =
      "Time goes to the right, a row is a link, a number a packet, h the header; before the first dashed line the "
      "message starts up.";
  const double left = packet_edge + name_width(links);
  const double top = packet_edge + title_letters + 2 * packet_letters;
  const double each = panel_gap + static_cast<double>(links.size()) * row_height;
  double width = std::max({left + time_width, width_of(title, title_letters, Weight::bold) + packet_edge,
                           width_of(note, packet_letters) + packet_edge}) +
                 packet_letters;
  for (const PacketPanel& panel : panels)
    width = std::max(width, width_of(panel.title, 13, Weight::bold) + packet_edge);
  const double end = latest(panels);

  const double bottom = top + each * static_cast<double>(panels.size());
  Svg svg(width + packet_edge, bottom + axis_height + packet_edge, title);
  svg.text({packet_edge, packet_edge + title_letters}, title, {.size = title_letters, .bold = true});
  svg.text({packet_edge, packet_edge + title_letters + 18}, note, {.size = packet_letters, .color = "#6a6a6a"});
  if (end > 0) draw_time_axis(svg, end, left, top + panel_gap, bottom);
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const PanelPlace place{left, top + static_cast<double>(k) * each + panel_gap, end > 0 ? time_width / end : 0};
    draw_panel(svg, links, panels[k], place);
  }
  return svg.str();
}

std::string chart_of_packets(std::span<const std::string> links, std::span<const PacketPanel> panels, int columns) {
  std::size_t names = 0;
  for (const std::string& link : links) names = std::max(names, link.size());
  const int room = std::max(20, columns - static_cast<int>(names) - 5);
  const double end = latest(panels);
  const auto column = [&](double time) {
    return end > 0 ? std::clamp(static_cast<int>(std::lround(time / end * room)), 0, room) : 0;
  };
  std::string text;
  for (const PacketPanel& panel : panels) {
    std::vector<std::string> rows(links.size(), std::string(static_cast<std::size_t>(room), ' '));
    for (std::string& row : rows) std::fill_n(row.begin(), column(panel.prepared), '.');
    for (const PacketBar& bar : panel.bars) {
      const int first = column(bar.begin);
      const char letter = bar.packet == 0 ? 'h' : static_cast<char>('0' + bar.packet % 10);
      std::fill_n(rows[bar.hop].begin() + first, column(bar.end) - first, letter);
    }
    text += fmt::format("\n{}\n", panel.title);
    for (std::size_t hop = 0; hop < links.size(); ++hop)
      text += fmt::format("  {:>{}} |{}|\n", links[hop], names, rows[hop]);
  }
  return text;
}

}  // namespace tutti::draw
