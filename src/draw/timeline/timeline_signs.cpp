#include "draw/timeline/timeline_signs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "draw/colors.hpp"

namespace tutti::draw {
namespace {

using timeline::SpanKind;

// Different to color-blind eyes (M. Okabe, K. Ito, Color Universal Design, 2008) and in grey; by Kind.
constexpr std::array<std::string_view, timeline::all_kinds.size()> fills{"#eeeeee", "#dedede", "#c4c4c4", "#0072b2",
                                                                         "#7cc8f2", "#d55e00", "#f0e442", "#ffffff"};

}  // namespace

std::string_view fill_of(SpanKind kind) { return fills[static_cast<std::size_t>(kind)]; }

PhaseGrounds::PhaseGrounds(const timeline::Timeline& timeline) {
  std::vector<std::pair<double, std::string>> begins;  // first begin of each name
  for (const timeline::Lane& lane : timeline.lanes) {
    for (const timeline::Span& span : lane) {
      if (span.kind != SpanKind::phase) continue;
      const auto same = [&](const auto& known) { return known.second == span.text; };
      const auto known = std::find_if(begins.begin(), begins.end(), same);
      if (known == begins.end()) {
        begins.emplace_back(span.begin, span.text);
      } else {
        known->first = std::min(known->first, span.begin);
      }
    }
  }
  std::stable_sort(begins.begin(), begins.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [begin, name] : begins) names_.push_back(std::move(name));
}

bool PhaseGrounds::few() const {
  constexpr std::size_t most = 4;
  return names_.size() <= most;
}

std::size_t PhaseGrounds::ground_of(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto at = found == names_.end() ? 0 : static_cast<std::size_t>(found - names_.begin());
  return at % distinct_tints.size();
}

std::string_view PhaseGrounds::fill_of(std::string_view name) const { return distinct_tints[ground_of(name)]; }

void draw_wait_sign(Svg& svg, double from, double to, double y) {
  svg.line({from, y}, {to, y}, {.color = "#666666", .width = 1.5, .dashes = "3 2"});
}

void draw_message(Svg& svg, Point from, Point to) {
  constexpr std::string_view color = "#555555";
  constexpr double head = 5;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 1) return;
  const Point ahead{(to.x - from.x) / length, (to.y - from.y) / length};
  const Point back{to.x - head * ahead.x, to.y - head * ahead.y};
  svg.line(from, back, {.color = color, .width = 0.7});
  svg.polygon({to, {back.x - 2 * ahead.y, back.y + 2 * ahead.x}, {back.x + 2 * ahead.y, back.y - 2 * ahead.x}}, color);
}

void draw_labels(Svg& svg, std::span<const TimelineLabel> labels, double letters) {
  svg.begin_group("labels");
  for (const TimelineLabel& label : labels) {
    svg.text(label.at, label.text, {.size = letters, .anchor = label.anchor, .color = label.color, .halo = label.halo});
  }
  svg.end_group();
}

void draw_key(Svg& svg, const timeline::Timeline& timeline, const PhaseGrounds& phases, Point at, double letters) {
  const double middle = at.y - letters / 3;
  const auto name = [&](std::string_view text) {
    svg.text({at.x + 26, at.y}, text, {.size = letters});
    at.x += 26 + width_of(text, letters) + 14;
  };
  std::set<SpanKind> shown;
  for (const timeline::Lane& lane : timeline.lanes) {
    for (const timeline::Span& span : lane) shown.insert(span.kind);
  }
  svg.begin_group("legend");
  const auto bar = [&](std::string_view fill, std::string_view text) {
    svg.rectangle({at.x, middle - 5}, 20, 10, fill);
    name(text);
  };
  for (const SpanKind kind : shown) {
    if (kind == SpanKind::wait) {
      draw_wait_sign(svg, at.x, at.x + 20, middle);
      name(name_of(kind));
    } else if (kind == SpanKind::phase && phases.few()) {
      for (const std::string& phase : phases.names()) bar(phases.fill_of(phase), phase);
    } else {
      bar(fill_of(kind), name_of(kind));
    }
  }
  if (!timeline.messages.empty()) {
    draw_message(svg, {at.x, middle}, {at.x + 20, middle});
    name("message");
  }
  svg.line({at.x, middle}, {at.x + 20, middle}, {.color = "#000000", .width = 2.5});
  name("critical path");
  svg.end_group();
}

}  // namespace tutti::draw
