#include "runtime/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/text/nearest_name.hpp"
#include "schedule/model/planning.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::runtime {
namespace {

std::string_view variable(const char* name) {
  const char* const value = environment_variable(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Functions of MPI have forms of a collective with names of their own: ALL_TO_ALL_V, REDUCE_SCATTER_BLOCK.
bool is_known(std::string_view name, const std::vector<std::string>& known) {
  return std::any_of(known.begin(), known.end(), [&](const std::string& each) {
    if (!name.starts_with(each)) return false;
    const std::string_view form = name.substr(each.size());
    return form.empty() || form == "_V" || form == "_BLOCK";
  });
}

}  // namespace

Duration timeout_of(const RunOptions& options) {
  require(options.timeout.count() >= 0, "a timeout is more than 0 s, not {} s", options.timeout.count());
  if (options.timeout.count() > 0) return options.timeout;
  const std::string_view text = variable("TUTTI_TIMEOUT");
  if (text.empty()) return default_timeout;
  // With a point whatever the program's locale has.
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, seconds);
  require(read.ec == std::errc() && read.ptr == end && seconds > 0 && seconds < 1e9,
          "TUTTI_TIMEOUT is a number of seconds above 0, such as 30, not \"{}\"", text);
  return Duration(seconds);
}

Progress progress_of(const RunOptions& options) {
  const std::string_view text = variable("TUTTI_PROGRESS_THREAD");
  require(text.empty() || text == "0" || text == "1", "TUTTI_PROGRESS_THREAD is 0 or 1, not \"{}\"", text);
  return options.progress_thread || text == "1" ? Progress::own_thread : Progress::when_waiting;
}

Planning planning_in_environment() {
  const std::string_view text = variable("TUTTI_PLAN");
  if (text.empty()) return default_planning;
  const auto named = planning_named(text);
  if (!named) {
    fail(ErrorCode::invalid_argument, "TUTTI_PLAN is '{}', which is no way to plan; {}", text,
         nearest_in_words(text, planning_names()));
  }
  return *named;
}

bool explains_plans() {
  const std::string_view text = variable("TUTTI_EXPLAIN");
  require(text.empty() || text == "0" || text == "1", "TUTTI_EXPLAIN is 0 or 1, not \"{}\"", text);
  return text == "1";
}

std::string misnamed_algorithm_variables() {
  const std::string beginning = algorithm_variable("");
  std::vector<std::string> known;
  for (const Collective collective : all_collectives()) known.push_back(algorithm_variable(collective));
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string words;
  for (char* const* setting = environ; setting != nullptr && *setting != nullptr; ++setting) {
    const std::string_view text = *setting;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with(beginning) || is_known(name, known)) continue;
    if (environment_variable(name.c_str()) == nullptr) continue;  // a program with more rights heeds none
    words += (words.empty() ? "" : "; ") + name + " names no collective; " + nearest_in_words(name, names);
  }
  return words;
}

}  // namespace tutti::runtime
