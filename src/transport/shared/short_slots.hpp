/// @file
/// Short messages: the bytes ride beside the flag that announces them, or in the slot's cell.
#pragma once

#include <algorithm>
#include <cstring>

#include "transport/interfaces/message.hpp"
#include "transport/interfaces/route.hpp"
#include "transport/shared/alarm.hpp"
#include "transport/shared/pair_memory.hpp"

namespace tutti::runtime {

/// One rank's slots on a communicator, as far as short messages are concerned. All in the header: a short collective
/// spends most of its time here.
class ShortSlots {
 public:
  ShortSlots(const ControlSegment& control, int rank, PeerMemory& memory, HeldMemory& held_memory, const Alarm& alarm)
      : pairs_(control, rank, memory, held_memory), alarm_(alarm) {}

  PairMemory& pairs() { return pairs_; }

  /// The longest message that is a short one, in bytes.
  std::int64_t most_bytes() const {
    return static_cast<std::int64_t>(std::max(MessageSlot::room, pairs_.cell_bytes()));
  }

  /// Whether the pair has the memory for such a message to the peer.
  bool has_room(int peer, std::int64_t bytes) const {
    return pairs_.slot_to(peer, 0) != nullptr && (is_inside(bytes) || pairs_.cell_to(peer, 0) != nullptr);
  }
  /// Takes that memory. Throws `Error(unsupported)` where there is no more.
  void make_room(int peer, std::int64_t bytes) {
    pairs_.take_slot_to(peer, 0);
    if (!is_inside(bytes)) pairs_.take_cell_to(peer, 0);
  }

  /// Sends the message, for which there is room, and for whose slot the receiver has no use any more. Its memory may be
  /// written again at once.
  void put(const Route& route, const Outgoing& message) {
    MessageSlot& slot = *pairs_.slot_to(route.peer, route.call_slot);
    const bool inside = is_inside(message.bytes);
    slot.digest = message.digest;
    slot.bytes = message.bytes;
    slot.packing = inside ? SlotPacking::inside : SlotPacking::in_cell;
    std::byte* to = inside ? slot.payload.data() : pairs_.cell_to(route.peer, route.call_slot);
    for (const Slice& slice : message.slices) {
      const auto bytes = static_cast<std::size_t>(slice.count * message.bindings->element_size);
      std::memcpy(to, message.bindings->at(slice), bytes);
      to += bytes;
    }
    // Release: publishes the message and its bytes.
    slot.posted.store(route.number, std::memory_order_release);
    alarm_.ring(route.peer);
    // The slot of the collective after the next comes from the other core before it is written: in a row of short
    // collectives that hides most of the way (docs/decisions/0012-short-calls-in-one-go.md).
    prefetch_for_writing(pairs_.slot_to(route.peer, call_slot_ahead(route.call_slot, 2)));
  }

  /// The bytes of the message if it has come, and is a short one with that digest and length; otherwise null, also
  /// where this process has yet to find the memory of the pair and cannot: the channel says why.
  const std::byte* come(const Route& route, std::uint64_t digest, std::int64_t bytes) {
    const MessageSlot* slot = pairs_.known_slot_from(route.peer, route.call_slot);
    if (slot == nullptr) [[unlikely]] {
      slot = found_slot(route);
      if (slot == nullptr) return nullptr;
    }
    // Acquire: pairs with the release in put(), or with that of a message of another kind.
    if (slot->posted.load(std::memory_order_acquire) != route.number) return nullptr;
    if (slot->digest != digest || slot->bytes != bytes) return nullptr;
    if (slot->packing == SlotPacking::inside) return slot->payload.data();
    return slot->packing == SlotPacking::in_cell ? found_cell(route) : nullptr;
  }

  /// After a message that was there at the first look: its sender is ahead, and may have written the next collective's,
  /// too. So that slot begins to come from the other core while this message is worked on (docs/decisions/0012).
  void expect_next(const Route& route) const {
    if (route.call_slot == message_slot) return;
    __builtin_prefetch(pairs_.known_slot_from(route.peer, call_slot_ahead(route.call_slot, 1)));
  }

  /// The message was read: its slot may be written again.
  void release(const Route& route) const {
    // Release: this rank's reads of the slot, its cell and the sender's memory come before the sender's next writes.
    pairs_.known_slot_from(route.peer, route.call_slot)->taken.store(route.number, std::memory_order_release);
    alarm_.ring(route.peer);
  }

  /// The slot of messages on that route, to this rank; null while the peer has taken none, or this process has no room
  /// for it.
  MessageSlot* found_slot(const Route& route) noexcept {
    try {
      return pairs_.slot_from(route.peer, route.call_slot);
    } catch (const Error&) {
      return nullptr;
    }
  }

 private:
  static bool is_inside(std::int64_t bytes) { return bytes <= static_cast<std::int64_t>(MessageSlot::room); }

  const std::byte* found_cell(const Route& route) noexcept {
    if (const std::byte* const known = pairs_.known_cell_from(route.peer, route.call_slot)) return known;
    try {
      return pairs_.cell_from(route.peer, route.call_slot);
    } catch (const Error&) {
      return nullptr;
    }
  }

  /// The call slot of the collective so many later.
  static int call_slot_ahead(int call_slot, int collectives) {
    return call_slot == message_slot ? call_slot : (call_slot + collectives) % collective_slots;
  }

  PairMemory pairs_;
  Alarm alarm_;
};

}  // namespace tutti::runtime
