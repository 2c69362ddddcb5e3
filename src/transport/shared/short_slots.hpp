/// @file
/// Short messages: the bytes ride beside the flag that announces them, or in the slot's cell.
#pragma once

#include <cstring>

#include "transport/shared/control_segment.hpp"
#include "transport/transport.hpp"

namespace tutti::runtime {

/// One rank's slots in a block, as far as short messages are concerned. All in the header: a short collective spends
/// most of its time here.
class ShortSlots {
 public:
  ShortSlots(const ControlSegment& block, int rank) : control_(block), rank_(rank) {}

  /// The longest message that is a short one, in bytes.
  std::int64_t most_bytes() const {
    return static_cast<std::int64_t>(std::max(MessageSlot::room, control_.cell_bytes()));
  }

  /// Sends the message, for whose slot the receiver has no use any more. Its memory may be written again at once.
  void put(const Route& route, const Outgoing& message) {
    MessageSlot& slot = control_.slot(rank_, route.peer, route.call_slot);
    const bool inside = message.bytes <= static_cast<std::int64_t>(MessageSlot::room);
    slot.digest = message.digest;
    slot.bytes = message.bytes;
    slot.packing = inside ? Packing::inside : Packing::in_cell;
    std::byte* to = inside ? slot.payload.data() : control_.cell(rank_, route.peer, route.call_slot);
    for (const Slice& slice : message.slices) {
      const auto bytes = static_cast<std::size_t>(slice.count * message.bindings->element_size);
      std::memcpy(to, message.bindings->at(slice), bytes);
      to += bytes;
    }
    // Release: publishes the message and its bytes.
    slot.posted.store(route.number, std::memory_order_release);
    prefetch_for_writing(&control_.slot(rank_, route.peer, lane_ahead(route.call_slot)));
  }

  /// The bytes of a short message that has come; null for one of another kind.
  const std::byte* bytes_of(const Route& route, const MessageSlot& slot) const {
    if (slot.packing == Packing::in_cell) return control_.cell(route.peer, rank_, route.call_slot);
    if (slot.packing != Packing::inside) return nullptr;
    return slot.payload.data();
  }

  /// The bytes of the message if it has come, and is a short one with that digest and length; otherwise null.
  const std::byte* come(const Route& route, std::uint64_t digest, std::int64_t bytes) const {
    const MessageSlot& slot = control_.slot(route.peer, rank_, route.call_slot);
    // Acquire: pairs with the release in put(), or with that of a message of another kind.
    if (slot.posted.load(std::memory_order_acquire) != route.number) return nullptr;
    return slot.digest == digest && slot.bytes == bytes ? bytes_of(route, slot) : nullptr;
  }

  /// The message was read: its slot may be written again.
  void release(const Route& route) const {
    // Release: this rank's reads of the slot, its cell and the sender's memory come before the sender's next writes.
    control_.slot(route.peer, rank_, route.call_slot).taken.store(route.number, std::memory_order_release);
  }

 private:
  /// The call slot of the collective after the next. Its slot comes from the other core before it is written: in a row
  /// of short collectives that hides most of the way (docs/performance.md).
  static int lane_ahead(int call_slot) {
    return call_slot == message_slot ? call_slot : (call_slot + 2) % collective_slots;
  }

  ControlSegment control_;
  int rank_;
};

}  // namespace tutti::runtime
