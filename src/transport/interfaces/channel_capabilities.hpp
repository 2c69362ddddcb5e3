/// @file
/// Capabilities of a channel: faster ways of messages over memory that ranks share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "transport/interfaces/message.hpp"
#include "transport/interfaces/route.hpp"

namespace tutti::runtime {

class ShortSlots;

/// Messages that come a part at a time, where `Arrival::in_parts` says so.
class StreamedMessages {
 public:
  StreamedMessages() = default;
  StreamedMessages(const StreamedMessages&) = delete;
  StreamedMessages& operator=(const StreamedMessages&) = delete;
  virtual ~StreamedMessages() = default;

  /// Returns the bytes that can be read now of such a message: whole elements in one piece, after what was taken; empty
  /// while nothing has come.
  virtual std::span<const std::byte> part(const Route& route) = 0;
  /// Takes so many bytes of that, which were read.
  virtual void take(const Route& route, std::int64_t bytes) = 0;
  /// Returns how many parts of messages have moved: work of Channel::delivered() on the way to its answer.
  virtual std::uint64_t parts() const = 0;
};

/// Places in a receiver's memory where the sender of a message may store it directly: see find_direct_stores().
class OpenPlaces {
 public:
  OpenPlaces() = default;
  OpenPlaces(const OpenPlaces&) = delete;
  OpenPlaces& operator=(const OpenPlaces&) = delete;
  virtual ~OpenPlaces() = default;

  /// Opens a place: from here until the message has arrived this rank does not touch it, and the peer may write there
  /// what it is to send. To be told before a message to the peer that is sent from the same place. May be ignored.
  virtual void open_place(const Route& route, const OpenPlace& place) = 0;
  /// Returns the place that the peer has opened for the message that this rank is going to send; nothing where it has
  /// opened none, or this rank cannot write there.
  virtual std::optional<OpenPlace> place_of(const Route& route) = 0;
};

/// Copies that a sender keeps of its message, and that sender and receiver make together: each part of a copy is made
/// by who has claimed it (find_receiver_copies() says when).
class ReceiverCopies {
 public:
  ReceiverCopies() = default;
  ReceiverCopies(const ReceiverCopies&) = delete;
  ReceiverCopies& operator=(const ReceiverCopies&) = delete;
  virtual ~ReceiverCopies() = default;

  /// Whether the message, which was offered, tells its receiver of the sender's copy.
  virtual bool lends_copy(const Route& route) = 0;
  /// Claims for the sender of such a message the next so many bytes of the copy, or as many as are left. Returns the
  /// first of them; nothing where all are claimed.
  virtual std::optional<std::int64_t> claim_copy(const Route& route, std::int64_t bytes) = 0;
  /// Claims for the receiver all that is left, which it has to copy before it releases the message. Nothing where
  /// nothing is left, or this rank cannot write there.
  virtual std::optional<LentCopy> take_copy(const Route& route) = 0;
};

/// Capabilities that a channel offers; null where it lacks one.
struct ChannelCapabilities {
  /// Slots of short messages in memory that sender and receiver share, which a caller may use without the channel. None
  /// where the channel has to see every message.
  ShortSlots* short_slots = nullptr;
  std::int64_t most_short_bytes = -1;         ///< longest message for those slots; -1 without them
  StreamedMessages* streams = nullptr;        ///< never null where a message arrives in parts
  OpenPlaces* open_places = nullptr;          ///< direct stores
  ReceiverCopies* receiver_copies = nullptr;  ///< never null where a message is lent
};

}  // namespace tutti::runtime
