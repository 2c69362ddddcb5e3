/// @file
/// What ranks do, as it is read from the words of the user.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::app {

/// One thing that a rank does.
struct Action {
  enum class Kind : std::uint8_t { send, receive, wait };
  Kind kind = Kind::wait;
  int peer = -1;
  std::int64_t bytes = 0;  ///< 0 of a receive: as many as its send has
};

using Actions = std::vector<std::vector<Action>>;  ///< by rank

/// The schedule of own_program.hpp. Receives without a size get that of the send which they meet; where there is none,
/// one byte.
Schedule schedule_of(Actions actions);

/// "64KiB". Throws `Error` for what is no size, and for 0.
std::int64_t parse_message_size(std::string_view text);

}  // namespace tutti::app
