/// @file
/// Actions of ranks, as they are read from the words of the user.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schedule/model/schedule.hpp"

namespace tutti {

/// One thing that a rank does.
struct UserAction {
  enum class Kind : std::uint8_t { send, receive, wait };
  Kind kind = Kind::wait;
  int peer = -1;
  std::int64_t bytes = 0;  ///< 0 of a receive: as many as its send has
};

using UserActions = std::vector<std::vector<UserAction>>;  ///< by rank

/// The schedule of user_program.hpp. Receives without a size get that of the send which they meet; where there is none,
/// one byte.
Schedule schedule_of(UserActions actions);

/// "64KiB". Throws `Error` for what is no size, and for 0.
std::int64_t parse_message_size(std::string_view text);

}  // namespace tutti
