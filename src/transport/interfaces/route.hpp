/// @file
/// Route of one message between two ranks.
#pragma once

#include <cstdint>

#include "agreement/agreement.hpp"

namespace tutti::runtime {

/// Collectives in flight use one call slot each, so that they cannot meet one another's messages; messages of the
/// user's own have theirs.
inline constexpr int message_slot = collective_slots;
inline constexpr int call_slots = collective_slots + 1;

/// One message's way between this rank and a peer. Sender and receiver number it alike; `previous` is the number of the
/// message before it whose place it may take, 0 where the place is known to be free.
struct Route {
  int peer = 0;
  int call_slot = 0;
  std::uint64_t number = 0;
  std::uint64_t previous = 0;
  bool begins = false;  ///< numbers are counted anew from here: the one before it is no message
};

}  // namespace tutti::runtime
