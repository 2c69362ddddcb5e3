/// @file
/// The shared part of a communicator between threads: a channel for each ordered pair of ranks.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/cache_line.hpp"
#include "runtime/transport/transport.hpp"

namespace tutti::runtime {

/// One lane of a channel: room for one message, one writer a line.
///
/// The sender writes `message`, then `posted` (release); the receiver reads `posted` (acquire), hence the message and
/// the data that it describes. The receiver is done with both before it writes `taken` (release); the sender reads
/// `taken` (acquire) before it writes either again. So neither races, and there is nothing to lock.
struct LaneSlot {
  alignas(line_pair) std::atomic<std::uint64_t> posted = 0;  // messages offered so far; written by the sender
  Message message;
  alignas(line_pair) std::atomic<std::uint64_t> taken = 0;  // messages read so far; written by the receiver
};

struct Channel {
  std::array<LaneSlot, lanes> slots;
};

/// Whether a rank reads a peer's memory right now: odd while it does. Written by the rank, read by all who withdraw.
struct alignas(line_pair) ReadingMark {
  std::atomic<std::uint64_t> count = 0;
};

/// The channels between p ranks, made when first used: p² pointers and p² channels at most.
class Channels {
 public:
  explicit Channels(int ranks);
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;
  ~Channels();

  int ranks() const { return ranks_; }
  /// The channel from one rank to another; either of them, or any other thread, may ask first.
  Channel& between(int from, int to);

  ReadingMark& reading(int rank) { return reading_[static_cast<std::size_t>(rank)]; }

  /// Set once, when the communicator fails.
  std::atomic<bool> closed = false;

 private:
  int ranks_;
  std::vector<std::atomic<Channel*>> table_;
  std::vector<ReadingMark> reading_;
};

}  // namespace tutti::runtime
