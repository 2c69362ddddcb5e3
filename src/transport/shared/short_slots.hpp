/// @file
/// Short messages: the bytes ride beside the flag that announces them, or in the slot's cell.
#pragma once

#include <cstring>

#include "transport/shared/block.hpp"
#include "transport/transport.hpp"

namespace tutti::runtime {

/// One rank's slots in a block, as far as short messages are concerned. All in the header: a short collective spends
/// most of its time here.
class ShortSlots {
 public:
  ShortSlots(const Block& block, int rank) : block_(block), rank_(rank) {}

  /// The longest message that is a short one, in bytes.
  std::int64_t most_bytes() const { return static_cast<std::int64_t>(std::max(LaneSlot::room, block_.cell_bytes())); }

  /// Sends the message, for whose slot the receiver has no use any more. Its memory may be written again at once.
  void put(const Route& route, const Outgoing& message) {
    LaneSlot& slot = block_.slot(rank_, route.peer, route.lane);
    const bool inside = message.bytes <= static_cast<std::int64_t>(LaneSlot::room);
    slot.digest = message.digest;
    slot.bytes = message.bytes;
    slot.packing = inside ? Packing::inside : Packing::in_cell;
    std::byte* to = inside ? slot.payload.data() : block_.cell(rank_, route.peer, route.lane);
    for (const Slice& slice : message.slices) {
      const auto bytes = static_cast<std::size_t>(slice.count * message.bindings->element_size);
      std::memcpy(to, message.bindings->at(slice), bytes);
      to += bytes;
    }
    // Release: publishes the message and its bytes.
    slot.posted.store(route.number, std::memory_order_release);
    prefetch_for_writing(&block_.slot(rank_, route.peer, lane_ahead(route.lane)));
  }

  /// The bytes of a short message that has come; null for one of another kind.
  const std::byte* bytes_of(const Route& route, const LaneSlot& slot) const {
    if (slot.packing == Packing::in_cell) return block_.cell(route.peer, rank_, route.lane);
    if (slot.packing != Packing::inside) return nullptr;
    return slot.payload.data();
  }

  /// The bytes of the message if it has come, and is a short one with that digest and length; otherwise null.
  const std::byte* come(const Route& route, std::uint64_t digest, std::int64_t bytes) const {
    const LaneSlot& slot = block_.slot(route.peer, rank_, route.lane);
    // Acquire: pairs with the release in put(), or with that of a message of another kind.
    if (slot.posted.load(std::memory_order_acquire) != route.number) return nullptr;
    return slot.digest == digest && slot.bytes == bytes ? bytes_of(route, slot) : nullptr;
  }

  /// The message was read: its slot may be written again.
  void release(const Route& route) const {
    // Release: this rank's reads of the slot, its cell and the sender's memory come before the sender's next writes.
    block_.slot(route.peer, rank_, route.lane).taken.store(route.number, std::memory_order_release);
  }

 private:
  /// The lane of the collective after the next. Its slot comes from the other core before it is written: in a row of
  /// short collectives that hides most of the way (docs/performance.md).
  static int lane_ahead(int lane) { return lane == message_lane ? lane : (lane + 2) % collective_lanes; }

  Block block_;
  int rank_;
};

}  // namespace tutti::runtime
