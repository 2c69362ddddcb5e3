/// @file
/// Messages between two ranks, one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "agreement/agreement.hpp"
#include "transport/message.hpp"
#include "transport/sleep_word.hpp"

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

enum class Offer : std::uint8_t { refused, offered, delivered };

/// A message that has come, to be read until it is released.
struct Arrival {
  std::uint64_t digest = 0;
  std::int64_t bytes = 0;
  std::int64_t element_size = 1;  ///< messages of the user's own, like the name
  std::string_view type_name;
  int tag = 0;
  bool in_place = false;      ///< it lies in the sender's memory: read only between begin_reading() and end_reading()
  bool in_parts = false;      ///< it comes a part at a time, by part() and take(), and has no stretches
  bool in_its_place = false;  ///< it lies where open_place() has said, and has no stretches
  bool is_lent = false;       ///< take_copy() may give something
  std::vector<Stretch> stretches;
};

class ShortSlots;

/// One rank's messages to and from the other ranks of a communicator. For one thread at a time. Nothing blocks: what
/// cannot happen yet says so and is asked again.
///
/// Direct access to a peer's memory is a capability that an engine may lack: then messages arrive in memory of its own.
class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  /// Offers the message to the peer.
  virtual Offer post(const Route& route, const Outgoing& message) = 0;
  /// Whether an offered message's memory may be written again.
  virtual bool delivered(const Route& route) = 0;
  /// Whether the peer's message is there. Where it has to be brought here, `landing` is where to, if long enough.
  virtual bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) = 0;
  /// The same for a caller that only looks at the message, which stays where it is.
  virtual bool peek(const Route& route, Arrival& arrival) { return arrived(route, {}, arrival); }
  /// What can be read now of a message that comes in parts: whole elements in one piece, after what was taken; empty
  /// while nothing has come.
  virtual std::span<const std::byte> part(const Route&) { return {}; }
  /// So many bytes of that were read.
  virtual void take(const Route&, std::int64_t) {}
  /// The message was read: its sender may go on.
  virtual void release(const Route& route) = 0;

  /// From here until the message has arrived this rank does not touch the place, and the peer may write there what it
  /// is to send. To be told before a message to the peer that is sent from the same place. A channel may ignore it.
  virtual void open_place(const Route&, const OpenPlace&) {}
  /// The place that the peer has opened for the message that this rank is going to send; nothing where it has opened
  /// none, or this rank cannot write there.
  virtual std::optional<OpenPlace> place_of(const Route&) { return std::nullopt; }

  /// Whether the message, which was offered, tells its receiver of the sender's copy: then the two of them make it, and
  /// each part of it is made by who has claimed it.
  virtual bool lends_copy(const Route&) { return false; }
  /// To the sender of such a message: the next so many bytes of the copy are its own to make, or as many as are left.
  /// Returns the first of them; nothing where all are claimed.
  virtual std::optional<std::int64_t> claim_copy(const Route&, std::int64_t) { return std::nullopt; }
  /// To the receiver: it has to copy what is left, before it releases the message. Nothing where nothing is left, or
  /// this rank cannot write there.
  virtual std::optional<LentCopy> take_copy(const Route&) { return std::nullopt; }

  /// The slots of short messages in memory that sender and receiver share, which a caller may use without this channel;
  /// null where there is no such memory, or where the channel has to see every message.
  virtual ShortSlots* short_slots() { return nullptr; }
  /// Receives what others have sent, and passes on what this rank has to pass on, while it waits for something else.
  /// Does nothing where ranks read what others have written.
  virtual void hear() {}
  /// How many parts of messages have moved: what delivered() does on the way to its answer.
  virtual std::uint64_t parts() const { return 0; }

  /// The next messages of the call slot belong to this phase of their algorithm; an empty name means none. For channels
  /// that keep a trace.
  virtual void enter_phase(int, std::string_view) {}

  /// This rank, which has something under way here, is about to sleep, until others wake it: see World::lie_down().
  /// What they post wakes it until get_up() with the same word.
  virtual void lie_down(WokenBy) {}
  virtual void get_up(WokenBy) {}
};

}  // namespace tutti::runtime
