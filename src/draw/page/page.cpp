#include "draw/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/check.hpp"
#include "base/text/embedded.hpp"
#include "draw/colors.hpp"
#include "draw/page/timeline_json.hpp"
#include "draw/steps/arrows.hpp"
#include "draw/svg.hpp"

namespace tutti::draw {

extern const std::span<const EmbeddedFile> page_files;

namespace {

/// Returns the text of a file beside this one. HTML has places such as {{title}}.
std::string_view page_file(std::string_view name) { return embedded_text(page_files, name); }

using Json = nlohmann::ordered_json;

/// An object whose members stay where they are: where it grows, it copies them.
Json object_with_room() {
  Json::object_t members;
  members.reserve(8);
  return members;
}

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

/// Texts of a page, each once: most are there many times, and rows name them by number.
class Texts {
 public:
  std::size_t number_of(const std::string& text) {
    const auto [at, is_new] = numbers_.try_emplace(text, all_.size());
    if (is_new) all_.push_back(text);
    return at->second;
  }
  Json numbers_of(const std::vector<std::string>& texts) {
    Json numbers = Json::array();
    for (const std::string& text : texts) numbers.push_back(number_of(text));
    return numbers;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> all_;
};

/// A row with the vertices between the ends of its way behind it, where it has some.
Json row_of(const Arrow& arrow, Texts& texts) {
  Json row{arrow.number, arrow.from, arrow.to, arrow.elements, texts.number_of(arrow.content), arrow.combined ? 1 : 0};
  for (std::size_t k = 1; k + 1 < arrow.route.size(); ++k) row.push_back(arrow.route[k]);
  return row;
}

/// The frame in rows, which dom.js gives the names that Arrow, DrawnLoad and RankFrame have: objects take 2.7 times
/// the instructions for a page of 64 ranks.
Json json_of(const Frame& frame, Texts& texts) {
  Json arrows = Json::array();
  for (const Arrow& arrow : frame.arrows) arrows.push_back(row_of(arrow, texts));
  Json loads = Json::array();
  for (const DrawnLoad& load : frame.loads) loads.push_back({load.from, load.to, load.messages, load.elements});
  Json ranks = Json::array();
  for (const RankFrame& rank : frame.ranks) {
    ranks.push_back({texts.numbers_of(rank.before), texts.numbers_of(rank.after), texts.numbers_of(rank.operations)});
  }
  Json fields = object_with_room();
  fields["arrows"] = std::move(arrows);
  fields["loads"] = std::move(loads);
  fields["ranks"] = std::move(ranks);
  if (!frame.phase.empty()) fields["phase"] = frame.phase;
  return fields;
}

std::string paragraphs(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  return text;
}

std::string words_of(const Arrow& arrow, Unit unit) {
  if (arrow.content.empty()) return fmt::format("{} signals {}", arrow.from, arrow.to);
  return fmt::format("{} sends {} to {} ({})", arrow.from, arrow.content, arrow.to, amount_of(arrow.elements, unit));
}

std::string words_of(const ScheduleFrames& frames) {
  if (frames.shown.empty()) return "<p>Nothing is sent.</p>";
  std::string text = frames.first == 1 ? "<ol>\n" : fmt::format("<ol start=\"{}\">\n", frames.first);
  for (const Frame& frame : frames.shown) {
    std::vector<std::string> said;
    for (const Arrow& arrow : frame.arrows) said.push_back(words_of(arrow, frames.unit));
    const std::string phase = frame.phase.empty() ? "" : fmt::format("<b>{}</b>: ", escaped(frame.phase));
    text += fmt::format("<li>{}{}.</li>\n", phase, escaped(fmt::format("{}", fmt::join(said, "; "))));
  }
  return text + "</ol>";
}

// Returns the keys of the messages' colors, as far as they occur.
std::string keys_of(const ScheduleFrames& frames, Coloring coloring) {
  std::string text;
  if (coloring == Coloring::distinct) return "<p class=\"note\">Colors only tell messages apart.</p>";
  for (const bool combined : {false, true}) {
    if (!has_arrow(frames, combined)) continue;
    text +=
        fmt::format("<span class=\"key {}\"></span>{} ", combined ? "combined" : "stored", meaning_of_color(combined));
  }
  return text.empty() ? text : fmt::format("<p class=\"note\">{}</p>", text);
}

std::string steps_section(const ScheduleFrames& frames, const Arrangement& arrangement) {
  std::vector<std::string> notes = frames.notes;
  if (!arrangement.note.empty()) notes.push_back(arrangement.note);
  return filled(page_file("steps.html"), {{"legend", escaped(frames.legend)},
                                          {"keys", keys_of(frames, coloring_of(frames, arrangement))},
                                          {"notes", paragraphs(notes)},
                                          {"words", words_of(frames)}});
}

std::string timeline_section(const TimelineExcerpt& part) {
  return filled(page_file("timeline.html"), {{"note", escaped(part.note)}});
}

std::string page_with(std::string_view title, const std::string& content, Json data) {
  // Texts on a page may be of either weight, so they get the room of the wider one.
  data["widths"] = Json(advances(Weight::bold));
  std::string script;
  for (const std::string_view name : {"dom.js", "geometry.js", "stage.js", "details.js", "timeline.js", "player.js"})
    script += page_file(name);
  return filled(page_file("page.html"), {{"title", escaped(title)},
                                         {"style", std::string(page_file("page.css"))},
                                         {"content", content},
                                         {"data", embedded(data)},
                                         {"script", script}});
}

}  // namespace

std::string html_of(const ScheduleFrames& frames, const Arrangement& arrangement, const timeline::Timeline* timeline) {
  Json shown = Json::array();
  Texts texts;
  for (const Frame& frame : frames.shown) {
    shown.push_back(json_of(frame, texts));
    shown.back()["step"] = frames.first + static_cast<int>(shown.size()) - 1;
  }
  Json data = object_with_room();
  data["layout"] = json_of(arrangement);
  data["frames"] = std::move(shown);
  data["steps"] = frames.steps;
  data["texts"] = texts.all();
  if (coloring_of(frames, arrangement) == Coloring::distinct) data["distinctColors"] = distinct_colors.size();
  if (frames.unit == Unit::bytes) data["unit"] = "bytes";
  std::string content = steps_section(frames, arrangement);
  if (timeline != nullptr) {
    const TimelineExcerpt part = excerpt_of(*timeline);
    data["timeline"] = timeline_json_of(part);
    content += timeline_section(part);
  }
  return page_with(frames.title, content, std::move(data));
}

std::string html_of(const timeline::Timeline& timeline) {
  const TimelineExcerpt part = excerpt_of(timeline);
  return page_with(timeline.title, timeline_section(part), Json{{"timeline", timeline_json_of(part)}});
}

}  // namespace tutti::draw
