#include "runtime/settings.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include "base/check.hpp"
#include "base/environment.hpp"
#include "base/nearest_name.hpp"

namespace tutti::runtime {
namespace {

std::string_view variable(const char* name) {
  const char* const value = environment_variable(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
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

}  // namespace tutti::runtime
