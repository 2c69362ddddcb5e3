#include "draw/page/timeline_excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/units.hpp"
#include "draw/timeline/timeline_bars.hpp"
#include "timeline/analysis.hpp"

namespace tutti::draw {
namespace {

using timeline::Lane;
using timeline::Span;
using timeline::SpanKind;
using timeline::Timeline;

// Returns how many of the first ranks, `most` at most, have no more spans together than a page shows.
std::size_t lanes_that_fit(const Timeline& timeline, std::size_t most) {
  std::size_t spans = 0;
  for (std::size_t lanes = 0; lanes < most; ++lanes) {
    spans += timeline.lanes[lanes].size();
    if (spans > most_spans_on_page) return lanes;
  }
  return most;
}

Lane merged(const Lane& lane, double resolution) {
  Lane spans;
  for (const Bar& bar : bars_of(lane, resolution)) {
    if (bar.span != nullptr) {
      spans.push_back(*bar.span);
    } else if (bar.kind != SpanKind::phase) {  // several phases have no name in common
      spans.push_back({.kind = bar.kind, .begin = bar.begin, .end = bar.end, .text = words_of(bar)});
    }
  }
  return spans;
}

// The lanes of the timeline at the first resolution at which there is room for them; it is put in `resolution`.
std::vector<Lane> merged_lanes(const Timeline& timeline, std::size_t lanes, double& resolution) {
  constexpr double finest = 1.0 / 64000;  // part of the run
  for (resolution = finest * timeline.seconds;; resolution *= 2) {
    std::vector<Lane> found;
    std::size_t spans = 0;
    for (std::size_t rank = 0; rank < lanes; ++rank) {
      found.push_back(merged(timeline.lanes[rank], resolution));
      spans += found.back().size();
    }
    if (spans <= most_spans_on_page) return found;
  }
}

// Keeps the messages of which both sides are spans, and numbers them anew.
void keep_messages(Timeline& timeline) {
  std::vector<int> sides(timeline.messages.size());
  const auto is_side = [](const Span& span) {
    return span.message != 0 && (span.kind == SpanKind::send || span.kind == SpanKind::receive);
  };
  for (const Lane& lane : timeline.lanes) {
    for (const Span& span : lane) {
      if (is_side(span)) ++sides[span.message - 1];
    }
  }
  std::vector<timeline::MessageSpan> kept;
  std::vector<std::uint64_t> numbers(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (sides[k] < 2) continue;
    kept.push_back(timeline.messages[k]);
    numbers[k] = kept.size();
  }
  for (Lane& lane : timeline.lanes) {
    for (Span& span : lane) span.message = span.message == 0 ? 0 : numbers[span.message - 1];
  }
  timeline.messages = std::move(kept);
}

// By rank, the spans of which a stretch of the path takes more than half.
std::vector<std::set<std::size_t>> critical_among(const Timeline& shown, const std::vector<CriticalStretch>& path) {
  std::vector<std::set<std::size_t>> found(shown.lanes.size());
  for (const CriticalStretch& stretch : path) {
    const auto rank = static_cast<std::size_t>(stretch.rank);
    if (rank >= shown.lanes.size()) continue;
    for (std::size_t k = 0; k < shown.lanes[rank].size(); ++k) {
      const Span& span = shown.lanes[rank][k];
      const double common = std::min(span.end, stretch.end) - std::max(span.begin, stretch.begin);
      if (span.kind == stretch.kind && 2 * common > span.end - span.begin) found[rank].insert(k);
    }
  }
  return found;
}

}  // namespace

TimelineExcerpt excerpt_of(const Timeline& timeline) {
  constexpr std::size_t few = 8;
  const std::size_t most = std::min(timeline.lanes.size(), most_lanes_on_page);
  std::size_t shown = lanes_that_fit(timeline, most);
  const bool exact = shown >= std::min(most, few);
  if (!exact) shown = most;
  TimelineExcerpt part{.timeline = {.title = timeline.title,
                                    .seconds = timeline.seconds,
                                    .lanes = {},
                                    .messages = timeline.messages,
                                    .note = {}},
                       .critical = {},
                       .note = timeline.note};
  const auto say = [&](const std::string& sentence) { part.note += (part.note.empty() ? "" : " ") + sentence; };
  const std::vector<timeline::CriticalSpan> path = critical_path(timeline);
  if (shown < timeline.lanes.size())
    say(fmt::format("Only the first {} of {} ranks are shown.", shown, timeline.lanes.size()));
  if (exact) {
    part.timeline.lanes.assign(timeline.lanes.begin(), timeline.lanes.begin() + static_cast<std::ptrdiff_t>(shown));
    part.critical.resize(shown);
    for (const timeline::CriticalSpan& at : path) {
      if (static_cast<std::size_t>(at.rank) < shown) part.critical[static_cast<std::size_t>(at.rank)].insert(at.span);
    }
    return part;
  }
  double resolution = 0;
  part.timeline.lanes = merged_lanes(timeline, shown, resolution);
  put_in_order(part.timeline);
  keep_messages(part.timeline);
  part.critical = critical_among(part.timeline, stretches_of(timeline, path, resolution));
  say(fmt::format("Spans of less than {} are shown together with their neighbours, without their messages.",
                  text_of(Seconds{resolution})));
  return part;
}

}  // namespace tutti::draw
