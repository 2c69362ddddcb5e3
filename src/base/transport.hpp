/// @file
/// Transport between two ranks, and the limit of messages that ranks with common memory put into it whole.
#pragma once

#include <array>
#include <cstdint>

namespace tutti {

/// Transport between two ranks. A run whose ranks are processes says `processes`, whether they share heaps or not.
enum class Transport : std::uint8_t {
  threads,        ///< ranks of one process
  processes,      ///< ranks of one machine, which share their heaps
  system_copies,  ///< ranks of one machine without shared heaps: the system copies long messages
  mpi
};

/// All transports, in the order of their numbers.
inline constexpr std::array all_transports{Transport::threads, Transport::processes, Transport::system_copies,
                                           Transport::mpi};

/// The memory of a pair of ranks for its messages in one direction: as many slots as calls may be in flight, each with
/// room for the bytes of a short message beside it.
inline constexpr int slots_of_a_pair = 65;
inline constexpr std::int64_t slot_bytes = 256;

/// The longest short message between `ranks` ranks, in bytes: as much as leaves all slots of a rank that talks to all
/// others, and their room, within 1.6 MiB, where that leaves some. O(log).
constexpr std::int64_t longest_short_message(int ranks) {
  constexpr std::int64_t least = 128;
  constexpr std::int64_t most = 8192;
  constexpr std::int64_t most_of_a_rank = std::int64_t{1620} << 10;
  std::int64_t longest = most;
  while (longest > least && std::int64_t{slots_of_a_pair} * ranks * (slot_bytes + longest) > most_of_a_rank)
    longest /= 2;
  return longest;
}

}  // namespace tutti
