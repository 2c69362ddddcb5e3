#include "transport/late_after.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include "base/check.hpp"
#include "base/system/environment.hpp"

namespace tutti::runtime {

std::chrono::duration<double> late_after() {
  constexpr std::chrono::duration<double> standard(30);
  const char* const value = environment_variable("TUTTI_LATE_AFTER");
  const std::string_view text = value == nullptr ? std::string_view() : std::string_view(value);
  if (text.empty()) return standard;
  // With a point whatever the program's locale has.
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, seconds);
  require(read.ec == std::errc() && read.ptr == end && seconds >= 0 && seconds < 1e9,
          "TUTTI_LATE_AFTER is a number of seconds, such as 30, or 0 for never, not \"{}\"", text);
  return seconds == 0 ? no_limit : std::chrono::duration<double>(seconds);
}

}  // namespace tutti::runtime
