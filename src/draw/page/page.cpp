#include "draw/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/check.hpp"
#include "base/text/embedded.hpp"
#include "draw/colors.hpp"
#include "draw/page/steps_json.hpp"
#include "draw/page/timeline_json.hpp"
#include "draw/steps/arrows.hpp"
#include "draw/svg.hpp"

namespace tutti::draw {

extern const std::span<const EmbeddedFile> page_files;

namespace {

/// Returns the text of a file beside this one. HTML has places such as {{title}}.
std::string_view page_file(std::string_view name) { return embedded_text(page_files, name); }

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

/// Members of a page's data, as JSON for a script element.
class PageData {
 public:
  void add(std::string_view name, const Json& value) { add(fmt::format("\"{}\":{}", name, script_json(value))); }
  void add(std::string_view members) {
    json_ += json_.empty() ? '{' : ',';
    json_ += members;
  }
  std::string whole() const { return json_ + '}'; }

 private:
  std::string json_;
};

std::string page_with(std::string_view title, const std::string& content, PageData data) {
  // Texts on a page may be of either weight, so they get the room of the wider one.
  data.add("widths", Json(advances(Weight::bold)));
  std::string script;
  for (const std::string_view name : {"dom.js", "geometry.js", "stage.js", "details.js", "timeline.js", "player.js"})
    script += page_file(name);
  return filled(page_file("page.html"), {{"title", escaped(title)},
                                         {"style", std::string(page_file("page.css"))},
                                         {"content", content},
                                         {"data", data.whole()},
                                         {"script", script}});
}

}  // namespace

std::string html_of(const ScheduleFrames& frames, const Arrangement& arrangement, const timeline::Timeline* timeline) {
  PageData data;
  data.add("layout", json_of(arrangement));
  data.add(steps_json(frames));
  data.add("steps", frames.steps);
  if (coloring_of(frames, arrangement) == Coloring::distinct) data.add("distinctColors", distinct_colors.size());
  if (frames.unit == Unit::bytes) data.add("unit", "bytes");
  std::string content = steps_section(frames, arrangement);
  if (timeline != nullptr) {
    const TimelineExcerpt part = excerpt_of(*timeline);
    data.add("timeline", timeline_json_of(part));
    content += timeline_section(part);
  }
  return page_with(frames.title, content, std::move(data));
}

std::string html_of(const timeline::Timeline& timeline) {
  const TimelineExcerpt part = excerpt_of(timeline);
  PageData data;
  data.add("timeline", timeline_json_of(part));
  return page_with(timeline.title, timeline_section(part), std::move(data));
}

}  // namespace tutti::draw
