/// @file
/// What the flows engine has under way, and what it waits for.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/meeting.hpp"
#include "simulate/precise.hpp"
#include "simulate/simulate.hpp"

namespace tutti {

/// A message under way.
struct Flight {
  Meeting meeting;
  std::vector<LinkId> path;
  std::size_t hop = 0;  ///< store-and-forward: the link at hand
  double begun = 0;
  Precise remaining;  ///< bytes, at time `since`
  Precise rate;       ///< bytes a unit of time
  Precise since;
  std::uint32_t version = 0;  ///< of the arrival that counts; earlier ones are void
  bool flows = false;         ///< over links that others may share
  bool alone = false;         ///< on links that are nobody else's, or carrying nothing: its end is fixed
  bool background = false;    ///< endless, and nobody's
};

/// What happens at an instant.
struct Event {
  enum class Kind : std::uint8_t { wake, transfer, arrive, release };
  Kind kind = Kind::wake;
  std::uint32_t subject = 0;  ///< the rank, the flight, or which of the releases
  std::uint32_t version = 0;
};

/// The number among all moves of the send that is kept back. Throws `Error(invalid_argument)` where there is none.
std::uint64_t send_of(const Workload& workload, const Release& release);

}  // namespace tutti
