#include "draw/timeline/timeline_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "base/units.hpp"
#include "draw/timeline/timeline_bars.hpp"

namespace tutti::draw {

namespace {

std::size_t bars_in(const timeline::Timeline& timeline, const TimelineSelection& chosen) {
  std::size_t bars = 0;
  for (std::size_t rank = 0; rank < chosen.lanes; ++rank)
    bars += bars_of(timeline.lanes[rank], chosen.resolution).size();
  return bars;
}

}  // namespace

TimelineSelection selection_of(const timeline::Timeline& timeline, double finest) {
  TimelineSelection chosen{.lanes = std::min<std::size_t>(timeline.lanes.size(), most_lanes), .resolution = finest};
  if (chosen.lanes < timeline.lanes.size()) {
    chosen.notes.push_back(fmt::format("Only ranks 0 to {} of {} are drawn", chosen.lanes - 1, timeline.lanes.size()));
  }
  std::size_t spans = 0;
  for (std::size_t rank = 0; rank < chosen.lanes; ++rank) {
    const timeline::Lane& lane = timeline.lanes[rank];
    spans += static_cast<std::size_t>(
        std::count_if(lane.begin(), lane.end(), [](const timeline::Span& span) { return span.end > span.begin; }));
  }
  std::size_t bars = bars_in(timeline, chosen);
  for (; bars > most_spans; bars = bars_in(timeline, chosen)) chosen.resolution *= 2;
  if (bars < spans) {
    chosen.notes.push_back(
        fmt::format("Spans of less than {} are drawn together with their neighbours; a trace (.json) has each",
                    text_of(Seconds{chosen.resolution})));
  }
  chosen.tips = bars <= most_tips;
  chosen.all_arrows = timeline.messages.size() <= most_arrows;
  if (!chosen.all_arrows) {
    chosen.notes.push_back(
        fmt::format("Arrows are drawn for the critical path alone, its {} longest at most, not for all {} messages",
                    most_critical_arrows, timeline.messages.size()));
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

std::vector<const timeline::MessageSpan*> messages_with_arrows(const timeline::Timeline& timeline,
                                                               const TimelineSelection& selection,
                                                               std::span<const timeline::CriticalSpan> path) {
  std::set<std::uint64_t> critical;
  for (const timeline::CriticalSpan& at : path)
    critical.insert(timeline.lanes[static_cast<std::size_t>(at.rank)][at.span].message);
  const auto is_shown = [&](int rank) { return rank >= 0 && static_cast<std::size_t>(rank) < selection.lanes; };
  std::vector<const timeline::MessageSpan*> found;
  for (std::size_t k = 0; k < timeline.messages.size(); ++k) {
    const timeline::MessageSpan& message = timeline.messages[k];
    if (!is_shown(message.from) || !is_shown(message.to)) continue;
    if (selection.all_arrows || critical.contains(k + 1)) found.push_back(&message);
  }
  if (selection.all_arrows || found.size() <= most_critical_arrows) return found;
  const auto is_longer = [](const timeline::MessageSpan* a, const timeline::MessageSpan* b) {
    return a->end - a->begin > b->end - b->begin;
  };
  std::stable_sort(found.begin(), found.end(), is_longer);
  found.resize(most_critical_arrows);
  return found;
}

}  // namespace tutti::draw
