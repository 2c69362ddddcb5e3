/// @file
/// Timelines from traces.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/check.hpp"
#include "base/text/json.hpp"
#include "timeline/chrome_trace.hpp"

namespace tutti::timeline {
namespace {

using nlohmann::json;

constexpr int most_ranks = 1 << 20;
constexpr double most_microseconds = 1e18;  // so that sums and differences of times stay numbers

// Events are taken one by one. Other programs' have lists and objects among their arguments.
constexpr JsonLimits limits{.depth = 32, .values = std::size_t{1} << 20};

/// Reads the events one after the other, then joins what belongs together.
class ChromeTraceReader {
 public:
  explicit ChromeTraceReader(const std::string& file) : file_(file) {}

  Timeline read(std::string_view text) {
    const json rest = read_json(text, file_, limits, [this](std::span<const JsonParent> around, const json& value) {
      const bool is_event = is_in_list_of_events(around);
      if (is_event) take(value);
      return !is_event;
    });
    const auto events = rest.is_object() ? rest.find("traceEvents") : rest.end();
    if (!(events == rest.end() ? rest : *events).is_array())
      refuse("must be a list of events, as TUTTI_TRACE=FILE and 'tutti draw … --timeline -o FILE.json' write it");
    if (timeline_.lanes.empty()) refuse("holds no span of a rank, as TUTTI_TRACE and tutti draw write them");
    move_to_zero();
    put_in_order(timeline_);
    join_messages();
    explain_waits();
    for (int rank = 0; rank < static_cast<int>(timeline_.lanes.size()); ++rank) explain_receives(rank);
    return std::move(timeline_);
  }

 private:
  /// The sides of the messages of one number: lane and span, in order of time.
  struct Sides {
    std::vector<std::pair<int, std::size_t>> sends;
    std::vector<std::pair<int, std::size_t>> receives;
  };

  /// The messages of one number that have one rank at one end, in order of their times there, each with its number in
  /// the timeline.
  using Ends = std::vector<std::pair<double, std::uint64_t>>;
  using EndsByRank = std::map<std::pair<std::uint64_t, int>, Ends>;  // by number and rank

  [[noreturn]] void refuse(std::string_view what) const { fail(ErrorCode::invalid_argument, "{}: {}", file_, what); }
  [[noreturn]] void refuse_event(std::string_view what) const { refuse(fmt::format("event {}: {}", at_, what)); }

  // The list is the document, or its "traceEvents".
  static bool is_in_list_of_events(std::span<const JsonParent> around) {
    if (around.empty() || !around.back().list) return false;
    return around.size() == 1 || (around.size() == 2 && around[0].key == "traceEvents");
  }

  void take(const json& event) {
    if (!event.is_object()) refuse_event("must be an object");
    take_object(event);
    ++at_;
  }

  void take_object(const json& event) {
    const std::string phase = text(event, "ph");
    if (phase == "M") return take_name(event);
    if (phase != "X") return;
    const std::string category = text(event, "cat");
    const auto kind =
        std::find_if(all_kinds.begin(), all_kinds.end(), [&](SpanKind k) { return name_of(k) == category; });
    if (kind != all_kinds.end()) take_span(event, *kind);
  }

  void take_name(const json& event) {
    const std::string name = text(event, "name");
    const auto found = event.find("args");
    if (found == event.end() || !found->is_object()) return;
    if (name == "tutti") timeline_.title = text(*found, "title");
    if (name != "process_labels") return;
    timeline_.note += fmt::format("{}rank {}: {}", timeline_.note.empty() ? "" : "; ",
                                  whole(event, "pid", most_ranks).value_or(0), text(*found, "labels"));
  }

  void take_span(const json& event, SpanKind kind) {
    const auto rank = whole(event, "pid", most_ranks);
    if (!rank) refuse_event("\"pid\" must be a rank");
    const double begin = number(event, "ts");
    const double duration = number(event, "dur");
    if (duration < 0) refuse_event("\"dur\" must be at least 0");
    Span span{.kind = kind, .begin = begin / 1e6, .end = (begin + duration) / 1e6};
    const json none = json::object();
    const auto found = event.find("args");
    const json& args = found != event.end() && found->is_object() ? *found : none;
    span.peer = static_cast<int>(whole(args, "peer", most_ranks).value_or(-1));
    span.bytes = whole(args, "bytes", std::numeric_limits<std::int64_t>::max()).value_or(0);
    span.message = message_number(text(args, "message"));
    if (const auto after = whole(args, "after", most_ranks)) {
      span.after = static_cast<int>(*after);
      span.since = number(args, "since") / 1e6;
    }
    if (holds_spans(kind)) span.text = text(event, "name");
    const auto lane = static_cast<std::size_t>(*rank);
    if (timeline_.lanes.size() <= lane) timeline_.lanes.resize(lane + 1);
    timeline_.lanes[lane].push_back(std::move(span));
  }

  std::string text(const json& object, const char* key) const {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  }

  double number(const json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number()) refuse_event(fmt::format("\"{}\" must be a number", key));
    const auto value = found->get<double>();
    if (!(std::abs(value) <= most_microseconds))
      refuse_event(fmt::format("\"{}\" must be a time of at most {:g} us, not {:g}", key, most_microseconds, value));
    return value;
  }

  // Nothing where the key is missing.
  std::optional<std::int64_t> whole(const json& object, const char* key, std::int64_t most) const {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    if (!found->is_number_integer()) refuse_event(fmt::format("\"{}\" must be a whole number", key));
    const bool fits = found->is_number_unsigned() ? found->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                                                  : found->get<std::int64_t>() >= 0;
    if (!fits) refuse_event(fmt::format("\"{}\" must be from 0 to {}", key, most));
    return found->get<std::int64_t>();
  }

  std::uint64_t message_number(std::string_view text) const {
    if (text.empty()) return 0;
    if (text.starts_with("0x")) text.remove_prefix(2);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
    if (error != std::errc() || end != text.data() + text.size()) {
      refuse_event("\"message\" must be a hexadecimal number such as \"0x1f\"");
    }
    return number;
  }

  // A machine's clock counts from its start.
  void move_to_zero() {
    double first = std::numeric_limits<double>::infinity();
    for (const Lane& lane : timeline_.lanes) {
      for (const Span& span : lane) first = std::min(first, span.begin);
    }
    for (Lane& lane : timeline_.lanes) {
      for (Span& span : lane) {
        span.begin -= first;
        span.end -= first;
        span.since -= first;
      }
    }
  }

  Span& span_at(const std::pair<int, std::size_t>& at) {
    return timeline_.lanes[static_cast<std::size_t>(at.first)][at.second];
  }

  void join_messages() {
    for (int rank = 0; rank < static_cast<int>(timeline_.lanes.size()); ++rank) {
      const Lane& lane = timeline_.lanes[static_cast<std::size_t>(rank)];
      for (std::size_t k = 0; k < lane.size(); ++k) {
        if (lane[k].message == 0) continue;
        Sides& sides = sides_[lane[k].message];
        if (lane[k].kind == SpanKind::send) sides.sends.emplace_back(rank, k);
        if (lane[k].kind == SpanKind::receive) sides.receives.emplace_back(rank, k);
        if (lane[k].kind == SpanKind::wait) waits_.push_back({rank, k});
      }
    }
    for (auto& [name, sides] : sides_) join(name, sides);
  }

  void join(std::uint64_t name, Sides& sides) {
    const auto earlier = [&](const auto& a, const auto& b) { return span_at(a).begin < span_at(b).begin; };
    std::stable_sort(sides.sends.begin(), sides.sends.end(), earlier);
    std::stable_sort(sides.receives.begin(), sides.receives.end(), earlier);
    for (std::size_t k = 0; k < std::max(sides.sends.size(), sides.receives.size()); ++k) {
      std::uint64_t number = 0;
      if (k < sides.sends.size() && k < sides.receives.size()) {
        const Span& send = span_at(sides.sends[k]);
        const Span& receive = span_at(sides.receives[k]);
        timeline_.messages.push_back({.from = sides.sends[k].first,
                                      .to = sides.receives[k].first,
                                      .bytes = receive.bytes,
                                      .begin = send.begin,
                                      .end = receive.end});
        number = timeline_.messages.size();
        going_[{name, sides.sends[k].first}].emplace_back(send.begin, number);
        coming_[{name, sides.receives[k].first}].emplace_back(receive.begin, number);
      }
      if (k < sides.sends.size()) span_at(sides.sends[k]).message = number;
      if (k < sides.receives.size()) span_at(sides.receives[k]).message = number;
    }
  }

  // A wait for a message ends soon after its sender gave it away, a wait for its reader soon after that was done.
  void explain_waits() {
    for (const auto& at : waits_) {
      Span& wait = span_at(at);
      const std::uint64_t number = message_of(at.first, wait);
      wait.message = number;
      if (number == 0 || wait.after >= 0) continue;
      const MessageSpan& message = timeline_.messages[number - 1];
      const bool comes = message.to == at.first;
      const double cause = std::min(comes ? message.begin : message.end, wait.end);
      if (cause <= wait.begin) continue;
      wait.after = comes ? message.from : message.to;
      wait.since = cause;
    }
  }

  // Returns, among the messages of the wait's number, the first that comes when it ends, or the last that was sent
  // before.
  std::uint64_t message_of(int rank, const Span& wait) const {
    if (const auto coming = coming_.find({wait.message, rank}); coming != coming_.end()) {
      const Ends& ends = coming->second;
      const auto first = std::lower_bound(ends.begin(), ends.end(), std::pair(wait.end - 1e-9, std::uint64_t{0}));
      if (first != ends.end()) return first->second;
    }
    const auto going = going_.find({wait.message, rank});
    if (going == going_.end()) return 0;
    const Ends& ends = going->second;
    const auto after =
        std::upper_bound(ends.begin(), ends.end(), std::pair(wait.end, std::numeric_limits<std::uint64_t>::max()));
    return after == ends.begin() ? 0 : (after - 1)->second;
  }

  // A rank that polls has no wait: what it receives let it go on if it was sent after all that the rank did before.
  void explain_receives(int rank) {
    Lane& lane = timeline_.lanes[static_cast<std::size_t>(rank)];
    std::vector<double> ends;
    for (const Span& span : lane) {
      if (!holds_spans(span.kind)) ends.push_back(span.end);
    }
    std::sort(ends.begin(), ends.end());
    for (Span& span : lane) {
      if (span.kind != SpanKind::receive || span.message == 0 || span.after >= 0) continue;
      const auto next = std::upper_bound(ends.begin(), ends.end(), span.begin);
      const MessageSpan& message = timeline_.messages[span.message - 1];
      if (next == ends.begin() || *(next - 1) >= message.begin) continue;
      span.after = message.from;
      span.since = message.begin;
    }
  }

  const std::string& file_;
  std::size_t at_ = 0;  // the event at hand
  Timeline timeline_;
  std::map<std::uint64_t, Sides> sides_;
  EndsByRank going_;
  EndsByRank coming_;
  std::vector<std::pair<int, std::size_t>> waits_;
};

}  // namespace

Timeline timeline_from(std::string_view json, const std::string& file) { return ChromeTraceReader(file).read(json); }

}  // namespace tutti::timeline
