#include "draw/page/steps_json.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text/one_line.hpp"

namespace tutti::draw {
namespace {

using Json = nlohmann::ordered_json;

bool is_control(char letter) { return static_cast<unsigned char>(letter) < ' '; }
bool is_plain(char letter) { return !is_control(letter) && letter != '"' && letter != '\\' && letter != '<'; }

// JSON of a text for a script element. Most texts stand in it as they are.
void add_text(std::string& json, std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), is_plain) || !is_utf8(text)) {
    json += script_json(text);
    return;
  }
  json += '"';
  json += text;
  json += '"';
}

/// Texts of frames that outlive it, each once.
class Texts {
 public:
  std::size_t number_of(std::string_view text) {
    const auto [at, is_new] = numbers_.try_emplace(text, all_.size());
    if (is_new) all_.push_back(text);
    return at->second;
  }
  const std::vector<std::string_view>& all() const { return all_; }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> all_;
};

/// Writer of frames. Builds no values of JSON, which take several times as long as their text.
class FramesWriter {
 public:
  explicit FramesWriter(const ScheduleFrames& frames) : frames_(frames) {
    begin_of_list("\"frames\":[");
    for (std::size_t k = 0; k < frames.shown.size(); ++k) add(k);
    end_of_list(']');
    begin_of_list(",\"texts\":[");
    for (const std::string_view text : texts_.all()) {
      add_text(json_, text);
      json_ += ',';
    }
    end_of_list(']');
  }

  const std::string& json() const { return json_; }

 private:
  // Each element of a list has a comma behind it, of which the last one is taken away.
  void begin_of_list(std::string_view words) { json_ += words; }
  void end_of_list(char end) {
    if (json_.back() == ',') json_.pop_back();
    json_ += end;
  }

  void add_number(std::int64_t number) { fmt::format_to(std::back_inserter(json_), FMT_COMPILE("{},"), number); }

  void add_numbers(const std::vector<std::string>& texts) {
    begin_of_list("[");
    for (const std::string& text : texts) add_number(static_cast<std::int64_t>(texts_.number_of(text)));
    end_of_list(']');
    json_ += ',';
  }

  // The vertices between the ends of its way stand behind it, where it has some.
  void add(const Arrow& arrow) {
    begin_of_list("[");
    for (const std::int64_t number :
         {std::int64_t{arrow.number}, std::int64_t{arrow.from}, std::int64_t{arrow.to}, arrow.elements,
          static_cast<std::int64_t>(texts_.number_of(arrow.content)), std::int64_t{arrow.combined}})
      add_number(number);
    for (std::size_t k = 1; k + 1 < arrow.route.size(); ++k) add_number(arrow.route[k]);
    end_of_list(']');
    json_ += ',';
  }

  void add(const RankFrame& rank, const std::vector<std::string>& held) {
    begin_of_list("[");
    add_numbers(rank.operations);
    if (rank.after != rank.before || rank.before != held) add_numbers(rank.after);
    if (rank.before != held) add_numbers(rank.before);
    end_of_list(']');
    json_ += ',';
  }

  void add(std::size_t place) {
    static const std::vector<std::string> nothing;
    const Frame& frame = frames_.shown[place];
    begin_of_list("{\"arrows\":[");
    for (const Arrow& arrow : frame.arrows) add(arrow);
    end_of_list(']');
    begin_of_list(",\"ranks\":[");
    for (std::size_t rank = 0; rank < frame.ranks.size(); ++rank)
      add(frame.ranks[rank], place == 0 ? nothing : frames_.shown[place - 1].ranks[rank].after);
    end_of_list(']');
    if (!frame.phase.empty()) {
      json_ += ",\"phase\":";
      add_text(json_, frame.phase);
    }
    json_ += fmt::format(",\"step\":{}}},", frames_.first + static_cast<int>(place));
  }

  const ScheduleFrames& frames_;
  Texts texts_;
  std::string json_;
};

}  // namespace

std::string script_json(const Json& value) {
  std::string result;
  for (const char letter : value.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (letter == '<')
      result += "\\u003c";
    else
      result += letter;
  }
  return result;
}

std::string steps_json(const ScheduleFrames& frames) { return FramesWriter(frames).json(); }

}  // namespace tutti::draw
