#include "timeline/chrome_trace.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text/real_number.hpp"

namespace tutti::timeline {
namespace {

constexpr int most_rows =
    32;  // rows of a group, so that rows of different ranks have different numbers as long as possible
constexpr std::string_view began_key = "\"began\":";

// Picoseconds are kept; zeros at the end are not.
std::string microseconds(double seconds) {
  std::string text = fmt::format("{:.6f}", seconds * 1e6);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

int thread_of(int rank, const SpanRow& place) {
  return (rank * 3 + static_cast<int>(place.group)) * most_rows + place.row;
}

std::string arguments_of(const Span& span) {
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", key, value);
  };
  if (span.peer >= 0) add("peer", fmt::to_string(span.peer));
  if (span.bytes > 0) add("bytes", fmt::to_string(span.bytes));
  if (span.message > 0) add("message", fmt::format("\"{:#x}\"", span.message));
  if (span.after >= 0) {
    add("after", fmt::to_string(span.after));
    add("since", microseconds(span.since));
  }
  return text;
}

void add_line(std::string& lines, const std::string& line) {
  if (!lines.empty()) lines += ",\n";
  lines += line;
}

std::string name_event(std::string_view what, int rank, int thread, std::string_view key, const std::string& value) {
  return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"{}":{}}}}})", what, rank, thread, key,
                     value);
}

void add_names(std::string& lines, int rank, const std::vector<SpanRow>& places, std::string_view note) {
  const int first = thread_of(rank, {});
  add_line(lines, name_event("process_name", rank, first, "name", quoted(fmt::format("rank {}", rank))));
  add_line(lines, name_event("process_sort_index", rank, first, "sort_index", fmt::to_string(rank)));
  if (!note.empty()) add_line(lines, name_event("process_labels", rank, first, "labels", quoted(note)));
  std::set<std::pair<SpanRow::Group, int>> rows;
  for (const SpanRow& place : places) rows.emplace(place.group, place.row);
  for (const auto& [group, row] : rows) {
    const int thread = thread_of(rank, {group, row});
    const std::string name = row == 0 ? std::string(name_of(group)) : fmt::format("{} {}", name_of(group), row + 1);
    add_line(lines, name_event("thread_name", rank, thread, "name", quoted(name)));
    add_line(lines, name_event("thread_sort_index", rank, thread, "sort_index", fmt::to_string(thread)));
  }
}

// A flow leaves at the send's beginning and ends within the receive, which may begin with the send.
void add_flow(std::string& lines, int rank, int thread, const Span& span) {
  if (span.message == 0) return;
  const auto add = [&](std::string_view phase, double time, std::string_view more) {
    add_line(lines,
             fmt::format(R"({{"ph":"{}","cat":"message","name":"message","id":"{:#x}","pid":{},"tid":{},"ts":{}{}}})",
                         phase, span.message, rank, thread, microseconds(time), more));
  };
  if (span.kind == SpanKind::send) add("s", span.begin, "");
  if (span.kind == SpanKind::receive) add("f", (span.begin + span.end) / 2, R"(,"bp":"e")");
}

}  // namespace

std::string first_event(std::string_view title, double began) {
  return fmt::format(R"({{"ph":"M","name":"tutti","pid":0,"tid":0,"args":{{{}{:.6f},"title":{}}}}})", began_key, began,
                     quoted(title));
}

double begin_of(std::string_view first_event) {
  const std::size_t at = first_event.find(began_key);
  if (!first_event.starts_with(R"({"ph":"M","name":"tutti")") || at == std::string_view::npos) return -1;
  const std::string_view number = first_event.substr(at + began_key.size());
  double began = -1;
  read_real(number.data(), number.data() + number.size(), began);
  return began;
}

std::string events_of(int rank, const Lane& lane, std::string_view note) {
  const std::vector<SpanRow> places = places_of(lane);
  std::string lines;
  add_names(lines, rank, places, note);
  for (std::size_t k = 0; k < lane.size(); ++k) {
    const Span& span = lane[k];
    const int thread = thread_of(rank, places[k]);
    add_line(lines, fmt::format(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
                                name_of(span.kind), quoted(words_of(span)), rank, thread, microseconds(span.begin),
                                microseconds(span.end - span.begin), arguments_of(span)));
    add_flow(lines, rank, thread, span);
  }
  return lines;
}

std::string chrome_trace(const Timeline& timeline) {
  std::string text = "[\n" + first_event(timeline.title, 0);
  for (std::size_t rank = 0; rank < timeline.lanes.size(); ++rank) {
    text += ",\n" + events_of(static_cast<int>(rank), timeline.lanes[rank]);
  }
  return text + "\n]\n";
}

}  // namespace tutti::timeline
