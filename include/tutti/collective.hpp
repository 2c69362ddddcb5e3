/// @file
/// The names of the collectives.
#pragma once

#include <cstdint>

namespace tutti {

/// Collectives: a call of each is a member of Communicator.
enum class Collective : std::uint8_t {
  broadcast,
  reduce,
  all_reduce,
  scan,
  exclusive_scan,
  scatter,
  gather,
  all_gather,
  reduce_scatter,
  all_to_all,
  shift,
  barrier,
};

}  // namespace tutti
