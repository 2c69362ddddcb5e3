#include "app/reports/timeline_json.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

namespace tutti::app {
namespace {

/// Writer of JSON's lists, as dump() of Json writes them. Values of JSON take several times the time and the memory.
class ListWriter {
 public:
  void begin(std::string_view name) { text_ += fmt::format(",\"{}\":[", name); }
  void end() {
    if (text_.back() == ',') text_.pop_back();
    text_ += ']';
  }
  void begin_object() { text_ += '{'; }
  void end_object() {
    text_.back() = '}';
    text_ += ',';
  }

  void add(double number) {
    std::array<char, 64> digits{};
    const char* const past = std::isfinite(number)
                                 ? nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), number)
                                 : std::copy_n("null", 4, digits.data());
    text_.append(digits.data(), static_cast<std::size_t>(past - digits.data()));
    text_ += ',';
  }
  void add(std::string_view name, double number) {
    add_name(name);
    add(number);
  }
  void add(std::string_view name, std::int64_t number) {
    add_name(name);
    fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{},"), number);
  }
  void add(std::string_view name, const Json& value) {
    add_name(name);
    text_ += value.dump() + ',';
  }

  const std::string& text() const { return text_; }

 private:
  void add_name(std::string_view name) { fmt::format_to(std::back_inserter(text_), FMT_COMPILE("\"{}\":"), name); }

  std::string text_;
};

/// Calls `see(name, value)` for each field of a message, in their order.
template <typename See>
void for_each_field(const TimelineMessage& message, See&& see) {
  see("from", std::int64_t{message.from});
  see("to", std::int64_t{message.to});
  see("bytes", message.bytes);
  see("send_posted", message.send_posted);
  see("receive_posted", message.receive_posted);
  see("begin", message.begin);
  see("end", message.end);
}

void add(ListWriter& list, const TimelineMessage& message) {
  list.begin_object();
  for_each_field(message, [&](std::string_view name, auto value) { list.add(name, value); });
  list.end_object();
}

// The rank that came first waited for the other, and for its ports.
void add_wait(ListWriter& list, const TimelineMessage& message) {
  const double first = std::min(message.send_posted, message.receive_posted);
  if (message.begin <= first) return;
  const bool sender_first = message.send_posted <= message.receive_posted;
  list.begin_object();
  list.add("rank", std::int64_t{sender_first ? message.from : message.to});
  list.add("for", std::int64_t{sender_first ? message.to : message.from});
  list.add("begin", first);
  list.add("end", message.begin);
  list.end_object();
}

void add(ListWriter& list, const TimelinePhase& phase) {
  list.begin_object();
  list.add("rank", std::int64_t{phase.rank});
  list.add("begin", phase.begin);
  list.add("phase", phase.name.empty() ? Json(nullptr) : Json(phase.name));
  list.end_object();
}

void add(ListWriter& list, const Link& link, std::int64_t bytes) {
  list.begin_object();
  list.add("from", std::int64_t{link.from});
  list.add("to", std::int64_t{link.to});
  list.add("bytes", bytes);
  list.end_object();
}

}  // namespace

Json json_of_message(const TimelineMessage& message) {
  Json json;
  for_each_field(message, [&](std::string_view name, auto value) { json[std::string(name)] = value; });
  return json;
}

std::string timeline_json(const Simulation& simulation, const Topology& topology, const Problem& problem,
                          const Choice& choice) {
  std::string text = Json{{"collective", name_of(problem.collective)},
                          {"algorithm", choice.algorithm->name},
                          {"topology", topology.name()},
                          {"ranks", problem.ranks},
                          {"seconds", simulation.seconds}}
                         .dump();
  text.pop_back();
  ListWriter lists;
  lists.begin("finished");
  for (const double seconds : simulation.finished) lists.add(seconds);
  lists.end();
  lists.begin("messages");
  for (const TimelineMessage& message : simulation.timeline) add(lists, message);
  lists.end();
  lists.begin("waits");
  for (const TimelineMessage& message : simulation.timeline) add_wait(lists, message);
  lists.end();
  lists.begin("phases");
  for (const TimelinePhase& phase : simulation.phases) add(lists, phase);
  lists.end();
  lists.begin("links");
  for (const LinkLoad& load : simulation.loads) add(lists, topology.link(load.link), load.bytes);
  lists.end();
  return text + lists.text() + '}';
}

}  // namespace tutti::app
