#include "timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::timeline {
namespace {

// By how much the times of a span may differ from those of its neighbours although they are meant to be the same: they
// are sums, or were read from a file, where a machine's clock has counted from its start.
double rounding_in(const Span& span) { return std::min(5e-10, 1e-3 * (span.end - span.begin)); }

}  // namespace

std::string_view name_of(SpanKind kind) {
  static constexpr std::array<std::string_view, all_kinds.size()> names{"call",    "phase",  "compute", "send",
                                                                        "receive", "reduce", "copy",    "wait"};
  return names[static_cast<std::size_t>(kind)];
}

void put_in_order(Timeline& timeline) {
  timeline.seconds = 0;
  for (Lane& lane : timeline.lanes) {
    std::stable_sort(lane.begin(), lane.end(), [](const Span& a, const Span& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    for (const Span& span : lane) timeline.seconds = std::max(timeline.seconds, span.end);
  }
}

std::string words_of(const Span& span) {
  if (!span.text.empty()) return span.text;
  if (span.peer < 0) return std::string(name_of(span.kind));
  switch (span.kind) {
    case SpanKind::send:
      return fmt::format("send to {}", span.peer);
    case SpanKind::receive:
      return fmt::format("receive from {}", span.peer);
    case SpanKind::wait:
      return fmt::format("waits for {}", span.peer);
    default:
      return std::string(name_of(span.kind));
  }
}

SpanRow::Group group_of(SpanKind kind) {
  if (kind == SpanKind::send) return SpanRow::Group::sends;
  return kind == SpanKind::receive ? SpanRow::Group::receives : SpanRow::Group::work;
}

std::string_view name_of(SpanRow::Group group) {
  static constexpr std::array<std::string_view, 3> names{"work", "sends", "receives"};
  return names[static_cast<std::size_t>(group)];
}

std::vector<SpanRow> places_of(const Lane& lane) {
  // Ends of the open spans of a row, each within the one before it.
  using Row = std::vector<double>;
  std::array<std::vector<Row>, 3> rows;
  std::vector<SpanRow> places;
  places.reserve(lane.size());
  for (const Span& span : lane) {
    const SpanRow::Group group = group_of(span.kind);
    std::vector<Row>& mine = rows[static_cast<std::size_t>(group)];
    const double slack = rounding_in(span);
    const auto has_room = [&](Row& row) {
      while (!row.empty() && row.back() <= span.begin + slack) row.pop_back();
      return row.empty() || row.back() >= span.end - slack;
    };
    auto row = std::find_if(mine.begin(), mine.end(), has_room);
    if (row == mine.end()) row = mine.emplace(mine.end());
    row->push_back(span.end);
    places.push_back({group, static_cast<int>(row - mine.begin())});
  }
  return places;
}

}  // namespace tutti::timeline
