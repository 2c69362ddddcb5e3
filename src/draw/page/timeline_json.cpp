#include "draw/page/timeline_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "draw/timeline/timeline_signs.hpp"

namespace tutti::draw {
namespace {

using Json = nlohmann::ordered_json;

// The row of each span of a lane, where phases come first, then work, sends and receives; and how many rows there are.
struct Rows {
  std::vector<int> of_spans;
  int count = 1;
};

bool is_phase(const timeline::Span& span) { return span.kind == timeline::SpanKind::phase; }

Rows rows_of(const timeline::Lane& lane) {
  const std::vector<timeline::SpanRow> places = timeline::places_of(lane);
  std::array<int, 3> rows{};
  for (const timeline::SpanRow& place : places) {
    int& mine = rows[static_cast<std::size_t>(place.group)];
    mine = std::max(mine, place.row + 1);
  }
  const int above = std::any_of(lane.begin(), lane.end(), is_phase) ? 1 : 0;
  Rows found{.of_spans = {}, .count = std::max(1, above + rows[0] + rows[1] + rows[2])};
  for (std::size_t k = 0; k < lane.size(); ++k) {
    int row = above + places[k].row;
    for (std::size_t group = 0; group < static_cast<std::size_t>(places[k].group); ++group) row += rows[group];
    found.of_spans.push_back(is_phase(lane[k]) ? 0 : row);
  }
  return found;
}

// `critical` are the spans of the critical path, `places` where in the list of messages each is, or -1.
Json json_of(const timeline::Lane& lane, const Rows& rows, const std::set<std::size_t>& critical,
             const std::vector<int>& places, const PhaseGrounds& phases) {
  Json spans = Json::array();
  for (std::size_t k = 0; k < lane.size(); ++k) {
    spans.push_back({{"kind", name_of(lane[k].kind)},
                     {"begin", lane[k].begin},
                     {"end", lane[k].end},
                     {"row", rows.of_spans[k]},
                     {"words", words_of(lane[k])}});
    if (is_phase(lane[k])) spans.back()["ground"] = phases.ground_of(lane[k].text);
    if (critical.contains(k)) spans.back()["critical"] = true;
    if (lane[k].message != 0 && places[lane[k].message - 1] >= 0) spans.back()["message"] = places[lane[k].message - 1];
  }
  return {{"rows", rows.count}, {"spans", spans}};
}

bool is_shown(const timeline::MessageSpan& message, std::size_t lanes) {
  return static_cast<std::size_t>(std::max(message.from, message.to)) < lanes;
}

// Returns each message's index among those between the first ranks; -1: it is not among them.
std::vector<int> places_of(const timeline::Timeline& timeline, std::size_t lanes) {
  std::vector<int> places;
  int next = 0;
  for (const timeline::MessageSpan& message : timeline.messages)
    places.push_back(is_shown(message, lanes) ? next++ : -1);
  return places;
}

// Messages between ranks that are shown, with the rows of their two ends.
Json messages_of(const timeline::Timeline& timeline, const std::vector<Rows>& rows) {
  std::vector<std::array<int, 2>> ends(timeline.messages.size(), {0, 0});
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const timeline::Lane& lane = timeline.lanes[rank];
    for (std::size_t k = 0; k < lane.size(); ++k) {
      const bool sends = lane[k].kind == timeline::SpanKind::send;
      if (lane[k].message == 0 || (!sends && lane[k].kind != timeline::SpanKind::receive)) continue;
      ends[lane[k].message - 1][sends ? 0 : 1] = rows[rank].of_spans[k];
    }
  }
  Json messages = Json::array();
  for (std::size_t k = 0; k < timeline.messages.size(); ++k) {
    const timeline::MessageSpan& message = timeline.messages[k];
    if (!is_shown(message, rows.size())) continue;
    messages.push_back({{"from", message.from},
                        {"to", message.to},
                        {"fromRow", ends[k][0]},
                        {"toRow", ends[k][1]},
                        {"bytes", message.bytes},
                        {"begin", message.begin},
                        {"end", message.end}});
  }
  return messages;
}

// Returns the keys of kinds of spans, and of phases if they are few.
Json keys_of(const std::set<timeline::SpanKind>& used, const PhaseGrounds& phases) {
  Json keys = Json::array();
  for (const timeline::SpanKind kind : used) {
    if (kind != timeline::SpanKind::phase || !phases.few()) {
      keys.push_back({{"words", name_of(kind)}, {"fill", name_of(kind)}});
      continue;
    }
    for (const std::string& name : phases.names())
      keys.push_back({{"words", name}, {"fill", fmt::format("phase-{}", phases.ground_of(name))}});
  }
  return keys;
}

}  // namespace

nlohmann::ordered_json timeline_json_of(const TimelineExcerpt& part) {
  const timeline::Timeline& timeline = part.timeline;
  std::vector<Rows> rows;
  std::set<timeline::SpanKind> used;
  Json lanes = Json::array();
  const std::vector<int> places = places_of(timeline, timeline.lanes.size());
  const PhaseGrounds phases(timeline);
  for (std::size_t rank = 0; rank < timeline.lanes.size(); ++rank) {
    const timeline::Lane& lane = timeline.lanes[rank];
    rows.push_back(rows_of(lane));
    lanes.push_back(json_of(lane, rows.back(), part.critical[rank], places, phases));
    for (const timeline::Span& span : lane) used.insert(span.kind);
  }
  return {{"seconds", timeline.seconds},
          {"keys", keys_of(used, phases)},
          {"lanes", lanes},
          {"messages", messages_of(timeline, rows)}};
}

}  // namespace tutti::draw
