#include "draw/timeline_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/units.hpp"
#include "draw/timeline.hpp"

namespace tutti::draw {

TimelineSelection selection_of(const timeline::Timeline& timeline) {
  TimelineSelection chosen{.lanes = std::min<std::size_t>(timeline.lanes.size(), most_lanes)};
  if (chosen.lanes < timeline.lanes.size()) {
    chosen.notes.push_back(fmt::format("Only ranks 0 to {} of {} are drawn", chosen.lanes - 1, timeline.lanes.size()));
  }
  std::vector<double> durations;
  for (std::size_t rank = 0; rank < chosen.lanes; ++rank) {
    for (const timeline::Span& span : timeline.lanes[rank]) durations.push_back(span.end - span.begin);
  }
  if (durations.size() > most_spans) {
    const auto last = durations.begin() + static_cast<std::ptrdiff_t>(most_spans);
    std::nth_element(durations.begin(), last, durations.end(), std::greater<>());
    // What is as long as the first that has no room has none either.
    chosen.shortest = std::nextafter(*last, 2 * *last + 1);
    chosen.notes.push_back(
        fmt::format("Spans of up to {} are left out; a trace (.json) has them all", text_of(Seconds{*last})));
  }
  chosen.tips = durations.size() <= most_tips;
  chosen.all_arrows = timeline.messages.size() <= most_arrows;
  if (!chosen.all_arrows) {
    chosen.notes.push_back(
        fmt::format("Arrows are drawn for the critical path alone, not for all {} messages", timeline.messages.size()));
  }
  return chosen;
}

std::vector<double> even_marks(double most) {
  constexpr double comfortable = 10;
  const double power = std::pow(10, std::floor(std::log10(most / comfortable)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = power * factor;
    if (most / step <= comfortable) break;
  }
  std::vector<double> found;
  for (int k = 0; k * step <= most * (1 + 1e-9); ++k) found.push_back(k * step);
  return found;
}

}  // namespace tutti::draw
