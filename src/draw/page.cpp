#include "draw/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/check.hpp"
#include "draw/page/parts.hpp"
#include "draw/svg.hpp"

namespace tutti::draw {
namespace {

using Json = nlohmann::ordered_json;

// The template with its places, such as {{title}}, taken by texts. What stands in those is not looked at.
std::string filled(std::string_view pattern, const std::map<std::string_view, std::string>& texts) {
  std::string result;
  while (true) {
    const std::size_t begin = pattern.find("{{");
    result += pattern.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    const std::size_t end = pattern.find("}}", begin);
    const auto text = texts.find(pattern.substr(begin + 2, end - begin - 2));
    if (text == texts.end())
      fail(ErrorCode::internal, "a page has a place without a text: {}", pattern.substr(begin, end - begin));
    result += text->second;
    pattern.remove_prefix(end + 2);
  }
}

// JSON inside a script element: no "<", so that nothing in it can end the element or begin a comment.
std::string embedded(const Json& json) {
  std::string result;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

Json json_of(Point point) {
  // A thousandth of the distance between neighbours is less than a pixel.
  const auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
  return {{"x", rounded(point.x)}, {"y", rounded(point.y)}};
}

Json json_of(const Arrangement& arrangement) {
  Json vertices = Json::array();
  for (const Vertex& vertex : arrangement.vertices) {
    Json fields{
        {"at", json_of(vertex.at)}, {"label", vertex.label}, {"detail", vertex.detail}, {"switch", vertex.is_switch}};
    if (vertex.node >= 0) fields["node"] = vertex.node;
    vertices.push_back(fields);
  }
  Json wires = Json::array();
  for (const Wire& wire : arrangement.wires) {
    Json fields{{"a", wire.a}, {"b", wire.b}, {"lanes", wire.lanes}};
    if (wire.curved) fields["control"] = json_of(wire.control);
    wires.push_back(fields);
  }
  return {
      {"low", json_of(arrangement.low)}, {"high", json_of(arrangement.high)}, {"vertices", vertices}, {"wires", wires}};
}

Json json_of(const Frame& frame) {
  Json arrows = Json::array();
  for (const Arrow& arrow : frame.arrows) {
    arrows.push_back({{"number", arrow.number},
                      {"from", arrow.from},
                      {"to", arrow.to},
                      {"route", arrow.route},
                      {"elements", arrow.elements},
                      {"content", arrow.content}});
    if (arrow.combined) arrows.back()["combined"] = true;
  }
  Json loads = Json::array();
  for (const Load& load : frame.loads)
    loads.push_back({{"from", load.from}, {"to", load.to}, {"messages", load.messages}, {"elements", load.elements}});
  Json ranks = Json::array();
  for (const RankFrame& rank : frame.ranks)
    ranks.push_back({{"before", rank.before}, {"after", rank.after}, {"operations", rank.operations}});
  Json fields{{"arrows", arrows}, {"loads", loads}, {"ranks", ranks}};
  if (!frame.phase.empty()) fields["phase"] = frame.phase;
  return fields;
}

// The row of each span of a lane: those of work, then of sends, then of receives; and how many rows there are.
struct Rows {
  std::vector<int> of_spans;
  int count = 1;
};

Rows rows_of(const timeline::Lane& lane) {
  const std::vector<timeline::Place> places = timeline::places_of(lane);
  std::array<int, 3> rows{};
  for (const timeline::Place& place : places) {
    int& mine = rows[static_cast<std::size_t>(place.group)];
    mine = std::max(mine, place.row + 1);
  }
  Rows found{.of_spans = {}, .count = std::max(1, rows[0] + rows[1] + rows[2])};
  for (const timeline::Place& place : places) {
    int row = place.row;
    for (std::size_t group = 0; group < static_cast<std::size_t>(place.group); ++group) row += rows[group];
    found.of_spans.push_back(row);
  }
  return found;
}

// How many lanes are shown: as many as may be, and have no more spans than may be.
std::size_t lanes_shown(const timeline::Timeline& timeline) {
  std::size_t lanes = 0;
  for (std::size_t spans = 0; lanes < std::min(timeline.lanes.size(), most_lanes_on_page); ++lanes) {
    spans += timeline.lanes[lanes].size();
    if (spans > most_spans_on_page) break;
  }
  require(lanes > 0 || timeline.lanes.empty(),
          "rank 0 has more than {} spans in this timeline, too many for a page; draw a shorter run",
          most_spans_on_page);
  return lanes;
}

Json json_of(const timeline::Lane& lane, const Rows& rows) {
  Json spans = Json::array();
  for (std::size_t k = 0; k < lane.size(); ++k) {
    spans.push_back({{"kind", name_of(lane[k].kind)},
                     {"begin", lane[k].begin},
                     {"end", lane[k].end},
                     {"row", rows.of_spans[k]},
                     {"words", words_of(lane[k])}});
  }
  return {{"rows", rows.count}, {"spans", spans}};
}

// Messages between ranks that are shown, with the rows of their two ends.
Json messages_of(const timeline::Timeline& timeline, const std::vector<Rows>& rows) {
  std::vector<std::array<int, 2>> ends(timeline.messages.size(), {0, 0});
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const timeline::Lane& lane = timeline.lanes[rank];
    for (std::size_t k = 0; k < lane.size(); ++k) {
      const bool sends = lane[k].kind == timeline::Kind::send;
      if (lane[k].message == 0 || (!sends && lane[k].kind != timeline::Kind::receive)) continue;
      ends[lane[k].message - 1][sends ? 0 : 1] = rows[rank].of_spans[k];
    }
  }
  Json messages = Json::array();
  for (std::size_t k = 0; k < timeline.messages.size(); ++k) {
    const timeline::Message& message = timeline.messages[k];
    if (static_cast<std::size_t>(std::max(message.from, message.to)) >= rows.size()) continue;
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

Json json_of(const timeline::Timeline& timeline) {
  std::vector<Rows> rows;
  std::set<timeline::Kind> used;
  Json lanes = Json::array();
  for (std::size_t rank = 0; rank < lanes_shown(timeline); ++rank) {
    const timeline::Lane& lane = timeline.lanes[rank];
    rows.push_back(rows_of(lane));
    lanes.push_back(json_of(lane, rows.back()));
    for (const timeline::Span& span : lane) used.insert(span.kind);
  }
  Json kinds = Json::array();
  for (const timeline::Kind kind : used) kinds.push_back(name_of(kind));
  return {{"seconds", timeline.seconds}, {"kinds", kinds}, {"lanes", lanes}, {"messages", messages_of(timeline, rows)}};
}

std::string note_of(const timeline::Timeline& timeline) {
  const std::size_t shown = lanes_shown(timeline);
  std::string note = timeline.note;
  if (shown < timeline.lanes.size())
    note += fmt::format("{}Only the first {} of {} ranks are shown.", note.empty() ? "" : " ", shown,
                        timeline.lanes.size());
  return note;
}

std::string paragraphs(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  return text;
}

std::string words_of(const Arrow& arrow) {
  if (arrow.content.empty()) return fmt::format("{} signals {}", arrow.from, arrow.to);
  return fmt::format("{} sends {} to {} ({} element{})", arrow.from, arrow.content, arrow.to, arrow.elements,
                     arrow.elements == 1 ? "" : "s");
}

std::string words_of(const Frames& frames) {
  if (frames.shown.empty()) return "<p>Nothing is sent.</p>";
  std::string text = frames.first == 1 ? "<ol>\n" : fmt::format("<ol start=\"{}\">\n", frames.first);
  for (const Frame& frame : frames.shown) {
    std::vector<std::string> said;
    for (const Arrow& arrow : frame.arrows) said.push_back(words_of(arrow));
    text += fmt::format("<li>{}.</li>\n", escaped(fmt::format("{}", fmt::join(said, "; "))));
  }
  return text + "</ol>";
}

// What the colors of messages mean, as far as they occur.
std::string keys_of(const Frames& frames) {
  std::string text;
  for (const bool combined : {false, true}) {
    if (!has_arrow(frames, combined)) continue;
    text +=
        fmt::format("<span class=\"key {}\"></span>{} ", combined ? "combined" : "stored", meaning_of_color(combined));
  }
  return text.empty() ? text : fmt::format("<p class=\"note\">{}</p>", text);
}

std::string steps_section(const Frames& frames, const Arrangement& arrangement) {
  std::vector<std::string> notes = frames.notes;
  if (!arrangement.note.empty()) notes.push_back(arrangement.note);
  return filled(page::steps_html, {{"legend", escaped(frames.legend)},
                                   {"keys", keys_of(frames)},
                                   {"notes", paragraphs(notes)},
                                   {"words", words_of(frames)}});
}

std::string timeline_section(const timeline::Timeline& timeline) {
  return filled(page::timeline_html, {{"note", escaped(note_of(timeline))}});
}

// Texts on a page may be of either weight, so they get the room of the wider one.
Json with_widths(Json data) {
  data["widths"] = Json(advances(Weight::bold));
  return data;
}

std::string page_with(std::string_view title, const std::string& content, const Json& data) {
  std::string script;
  for (const std::string_view part :
       {page::dom_js, page::geometry_js, page::stage_js, page::details_js, page::timeline_js, page::player_js})
    script += part;
  return filled(page::page_html, {{"title", escaped(title)},
                                  {"style", std::string(page::page_css)},
                                  {"content", content},
                                  {"data", embedded(with_widths(data))},
                                  {"script", script}});
}

}  // namespace

std::string html_of(const Frames& frames, const Arrangement& arrangement, const timeline::Timeline* timeline) {
  Json shown = Json::array();
  for (const Frame& frame : frames.shown) {
    shown.push_back(json_of(frame));
    shown.back()["step"] = frames.first + static_cast<int>(shown.size()) - 1;
  }
  Json data{{"layout", json_of(arrangement)}, {"frames", shown}, {"steps", frames.steps}};
  std::string content = steps_section(frames, arrangement);
  if (timeline != nullptr) {
    data["timeline"] = json_of(*timeline);
    content += timeline_section(*timeline);
  }
  return page_with(frames.title, content, data);
}

std::string html_of(const timeline::Timeline& timeline) {
  return page_with(timeline.title, timeline_section(timeline), Json{{"timeline", json_of(timeline)}});
}

}  // namespace tutti::draw
