/// @file
/// Signs for a timeline's kinds of spans, messages and waits, and the key to them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.hpp"
#include "timeline/timeline.hpp"

namespace tutti::draw {

/// The color of a bar.
std::string_view fill_of(timeline::SpanKind kind);

/// The phases of a timeline, by the order in which they first begin, and the grounds of their names.
class PhaseGrounds {
 public:
  explicit PhaseGrounds(const timeline::Timeline& timeline);

  bool empty() const { return names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }
  /// Whether a key has room for all names.
  bool few() const;
  /// The ground of a name, counted in `distinct_tints`. Those of neighbouring phases differ; for a name that is none of
  /// them that of the first.
  std::size_t ground_of(std::string_view name) const;
  std::string_view fill_of(std::string_view name) const;

 private:
  std::vector<std::string> names_;
};

/// A wait: a dashed line.
void draw_wait_sign(Svg& svg, double from, double to, double y);

/// A message: a thin arrow.
void draw_message(Svg& svg, Point from, Point to);

/// Letters in the picture: beside a bar, or in it.
struct TimelineLabel {
  Point at;
  double right = 0;  ///< its end
  std::string text;
  Anchor anchor = Anchor::start;
  std::string_view color = "#222222";
  bool halo = true;
};

void draw_labels(Svg& svg, std::span<const TimelineLabel> labels, double letters);

/// A row that says how what the timeline has is drawn, few phases by name; its letters stand on the line of `at`.
void draw_key(Svg& svg, const timeline::Timeline& timeline, const PhaseGrounds& phases, Point at, double letters);

}  // namespace tutti::draw
