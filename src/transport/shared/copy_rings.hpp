/// @file
/// Messages that pass through shared memory, a part at a time.
#pragma once

#include <array>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "transport/shared/alarm.hpp"
#include "transport/shared/pair_memory.hpp"
#include "transport/shared/peer_memory.hpp"
#include "transport/shared/ring_pace.hpp"

namespace tutti::runtime {

/// One rank's streams, to and from its peers.
///
/// A stream passes through a ring of bytes, of which the sender has put in `filled` and the receiver taken `drained`:
/// sender and receiver copy at once, each from or to memory of its own, and what lies between them stays in the caches.
/// For short messages that is faster than having the system copy from process to process (docs/decisions/0009), and it
/// works where the system refuses to.
///
/// The ring is one of a few that each rank has; or the slot's cell, which no other message uses, so that every stream
/// moves whatever becomes of the others. Parts hold whole elements: rings are as long as so many of them.
///
/// A message is known by its number beside peer and call slot: the slot of a pair and call slot is free again once the
/// receiver has taken what lay there, so that the next message may begin before the sender asks what became of the last
/// one.
class CopyRings {
 public:
  static constexpr std::size_t ring_bytes = std::size_t{112} << 10;
  /// Up to here a message streams also where its receiver may read the sender's memory, and a ring is free: it fits into
  /// one. Where ranks outnumber cores its sender goes on, and no core has to change hands for it. Where they do not, a
  /// message beyond `always_streamed_bytes` streams as long as the cores of the two are near (RingPace).
  static constexpr std::int64_t streamed_bytes = ring_bytes;
  static constexpr std::int64_t always_streamed_bytes = 16 * 1024;

  CopyRings(PairMemory& pairs, PeerMemory& memory, HeldMemory& held_memory, const Alarm& alarm, bool is_outnumbered)
      : pairs_(pairs), memory_(memory), held_memory_(held_memory), alarm_(alarm), is_outnumbered_(is_outnumbered) {}

  CopyRings(const CopyRings&) = delete;
  CopyRings& operator=(const CopyRings&) = delete;

  /// Whether the message passes sooner through a ring than by the system: where it is short, and a ring is free.
  bool is_faster_by_ring(const Outgoing& message, int peer) {
    return message.bytes <= streamed_bytes && (message.bytes <= always_streamed_bytes || is_near(peer)) &&
           free_ring() != nullptr;
  }
  /// Begins to send: writes into the slot what the receiver must know, which is then yet to be posted. The message's
  /// memory lasts until it has passed, if it may be buffered, and otherwise until it is taken.
  void begin(MessageSlot& slot, const Route& route, const Outgoing& message);
  /// Puts in what there is room for; says whether any of it was new. Nothing where no stream is sent on the route.
  bool push(const Route& route) { return !out_.empty() && push_out(route); }
  /// Whether a message that may be buffered has passed as a whole. Then it is forgotten.
  bool passed(const Route& route) { return !out_.empty() && passed_out(route); }
  /// The message was taken.
  void end(const Route& route) {
    if (!out_.empty()) forget_out(route);
  }

  /// Returns the bytes of the message that can be read now, in one piece, after what was taken.
  std::span<const std::byte> part(const MessageSlot& slot) const;
  void take(MessageSlot& slot, int peer, std::int64_t bytes) const;

 private:
  using Key = std::tuple<int, int, std::uint64_t>;  // peer, call slot, number
  static Key key_of(const Route& route) { return {route.peer, route.call_slot, route.number}; }
  /// A message on its way out.
  struct Outflow {
    std::vector<std::span<const std::byte>> pieces;
    std::size_t piece = 0;  // the one that is passing
    std::int64_t passed = 0;
    std::int64_t total = 0;
    std::int64_t element_size = 1;
    bool may_buffer = false;
    std::span<std::byte> ring;
    std::byte* own = nullptr;  // the ring, where it is taken for this message
  };
  /// Use of a ring of this rank's: it is free once the receiver has taken message `number`.
  struct Use {
    Route route;
    std::byte* ring = nullptr;  // taken when it is first used
  };

  static constexpr int rings = 3;

  bool is_near(int peer) { return is_outnumbered_ || pace_to(peer).lets_through(); }
  RingPace& pace_to(int peer);
  Use* free_ring();
  bool take_memory(Use& use);
  bool is_free(const Use& use) const;
  void take_ring(Outflow& flow, const Route& route);
  bool push_out(const Route& route);
  bool passed_out(const Route& route);
  void forget_out(const Route& route);
  void push_parts(Outflow& flow, MessageSlot& slot, int peer);
  static void copy_out(Outflow& flow, std::byte* to, std::int64_t bytes);

  PairMemory& pairs_;
  PeerMemory& memory_;
  HeldMemory& held_memory_;
  Alarm alarm_;
  bool is_outnumbered_;
  std::vector<RingPace> paces_;  // by peer
  std::array<Use, rings> uses_;
  std::map<Key, Outflow> out_;
};

}  // namespace tutti::runtime
