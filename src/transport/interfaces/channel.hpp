/// @file
/// Messages between two ranks, one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "transport/interfaces/channel_capabilities.hpp"
#include "transport/interfaces/message.hpp"
#include "transport/interfaces/route.hpp"
#include "transport/sleep_word.hpp"

namespace tutti::runtime {

enum class PostResult : std::uint8_t { refused, offered, delivered };

/// A message that has come, to be read until it is released.
struct Arrival {
  std::uint64_t digest = 0;
  std::int64_t bytes = 0;
  std::int64_t element_size = 1;  ///< messages of the user's own, like the name
  std::string_view type_name;
  int tag = 0;
  /// Whether it lies in the sender's memory: read only between begin_reading() and end_reading().
  bool in_place = false;
  /// Whether it comes a part at a time, by StreamedMessages, and has no ranges.
  bool in_parts = false;
  /// Whether it lies in the place that OpenPlaces::open_place() has named, and has no ranges.
  bool in_its_place = false;
  bool is_lent = false;  ///< ReceiverCopies::take_copy() may give something
  std::vector<MemoryRange> ranges;
};

/// One rank's messages to and from the other ranks of a communicator. For one thread at a time. Nothing blocks: what
/// cannot happen yet says so and is asked again.
///
/// Every engine of communication does this much. Faster ways over memory that ranks share are its capabilities.
class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  /// Offers the message to the peer.
  virtual PostResult post(const Route& route, const Outgoing& message) = 0;
  /// Whether an offered message's memory may be written again.
  virtual bool delivered(const Route& route) = 0;
  /// Whether the peer's message is there. Where it has to be brought here, `landing` is where to, if long enough.
  virtual bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) = 0;
  /// Whether a message has arrived, for a caller that only looks at it: the message stays.
  virtual bool peek(const Route& route, Arrival& arrival) { return arrived(route, {}, arrival); }
  /// The message was read: its sender may go on.
  virtual void release(const Route& route) = 0;

  /// Returns the capabilities of this channel, which stay as they are. Connection asks once.
  virtual ChannelCapabilities capabilities() { return {}; }

  /// Receives what others have sent, and passes on what this rank has to pass on, while it waits for something else.
  /// Does nothing where ranks read what others have written.
  virtual void hear() {}

  /// The next messages of the call slot belong to this phase of their algorithm; an empty name means none. For channels
  /// that keep a trace.
  virtual void enter_phase(int, std::string_view) {}

  /// This rank, which has something under way here, is about to sleep, until others wake it: see
  /// World::prepare_sleep(). What they post wakes it until finish_sleep() with the same word.
  virtual void prepare_sleep(WokenBy) {}
  virtual void finish_sleep(WokenBy) {}
};

}  // namespace tutti::runtime
