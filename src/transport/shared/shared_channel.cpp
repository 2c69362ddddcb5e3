#include "transport/shared/shared_channel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/copy.hpp"

namespace tutti::runtime {
namespace {

/// From here on a result is stored at its receivers, too (see find_direct_stores()).
constexpr std::int64_t places_from = 16 * 1024;
/// From here on a rank that keeps a copy of what it sends lends it to the receiver (see find_receiver_copies()): what lies
/// in the sender's caches is better copied there.
constexpr auto lent_from = static_cast<std::int64_t>(streaming_from);

}  // namespace

bool SharedChannel::is_private(const Outgoing& message, int receiver) const {
  return std::any_of(message.slices.begin(), message.slices.end(),
                     [&](const Slice& s) { return !memory_.lies_open(message.bindings->at(s), receiver); });
}

PostResult SharedChannel::post(const Route& route, const Outgoing& message) {
  MessageSlot& slot = pairs().take_slot_to(route.peer, route.call_slot);
  // The message before is whatever was posted last if numbers begin anew, which this rank knows itself.
  const std::uint64_t before = route.begins ? slot.posted.load(std::memory_order_relaxed) : route.previous;
  // Acquire: the receiver has read the message before, and the slot may be written.
  if (route.previous != 0 && slot.taken.load(std::memory_order_acquire) != before) return PostResult::refused;
  if (message.may_buffer && message.bytes <= short_slots_.most_bytes()) {
    short_slots_.make_room(route.peer, message.bytes);
    short_slots_.put(route, message);
    return PostResult::delivered;
  }
  slot.digest = message.digest;
  slot.bytes = message.bytes;
  if (message.in_its_place) {
    slot.packing = SlotPacking::in_its_place;
    // Release: publishes what this rank has written into the place, and what it has acquired of its helpers' writes.
    slot.posted.store(route.number, std::memory_order_release);
    alarm_.ring(route.peer);
    return PostResult::delivered;
  }
  tell_type(slot, message);
  const int receiver = members_[static_cast<std::size_t>(route.peer)];
  const bool streams = is_private(message, receiver) &&
                       (!memory_.is_reached_by(receiver) || copy_rings_.is_faster_by_ring(message, route.peer));
  if (streams) {
    copy_rings_.begin(slot, route, message);
  } else {
    tell_ranges(slot, route, message);
    if (message.copy.bytes >= lent_from) lend_copy(slot, message, receiver);
  }
  // Release: publishes the message, and all that this rank has written into the memory that it describes.
  slot.posted.store(route.number, std::memory_order_release);
  alarm_.ring(route.peer);
  if (!streams) return PostResult::offered;
  copy_rings_.push(route);
  return copy_rings_.passed(route) ? PostResult::delivered : PostResult::offered;
}

void SharedChannel::tell_type(MessageSlot& slot, const Outgoing& message) {
  if (message.type_name.empty()) return;
  const ShortName name(message.type_name);
  std::memcpy(slot.payload.data() + MessageSlot::element_at, &message.bindings->element_size, sizeof(std::int64_t));
  std::memcpy(slot.payload.data() + MessageSlot::name_at, &name, sizeof(name));
  std::memcpy(slot.payload.data() + MessageSlot::tag_at, &message.tag, sizeof(message.tag));
}

void SharedChannel::tell_ranges(MessageSlot& slot, const Route& route, const Outgoing& message) {
  const std::size_t n = message.slices.size();
  const bool fits = n <= MessageSlot::most_inside;
  slot.packing = fits ? SlotPacking::in_place : SlotPacking::listed;
  slot.ranges = static_cast<std::uint32_t>(n);
  std::byte* to = slot.payload.data();
  if (!fits) {
    to = list_for(route, n * sizeof(ToldRange));
    const std::uint64_t address = memory_.address_of(to);
    std::memcpy(slot.payload.data(), &address, sizeof(address));
  }
  for (const Slice& slice : message.slices) {
    const ToldRange told{memory_.address_of(message.bindings->at(slice)), slice.count * message.bindings->element_size};
    std::memcpy(to, &told, sizeof(told));
    to += sizeof(told);
  }
}

void SharedChannel::lend_copy(MessageSlot& slot, const Outgoing& message, int receiver) const {
  const std::byte* const into = message.copy.pointer();
  if (slot.packing != SlotPacking::in_place || is_private(message, receiver) || !memory_.lies_open(into, receiver))
    return;
  slot.packing = SlotPacking::lent;
  slot.copy = {memory_.address_of(into), message.copy.bytes};
  // Relaxed: published by `posted`.
  slot.claimed.store(0, std::memory_order_relaxed);
}

std::optional<std::int64_t> SharedChannel::claim_copy(const Route& route, std::int64_t bytes) {
  MessageSlot* const slot = pairs().slot_to(route.peer, route.call_slot);
  // Relaxed, both: see MessageSlot. The first look spares the write to who asks again and again.
  if (slot == nullptr || slot->claimed.load(std::memory_order_relaxed) >= slot->bytes) return std::nullopt;
  const std::int64_t first = slot->claimed.fetch_add(bytes, std::memory_order_relaxed);
  return first < slot->bytes ? std::optional(first) : std::nullopt;
}

std::optional<LentCopy> SharedChannel::take_copy(const Route& route) {
  MessageSlot& slot = incoming(route);
  const auto into = writable(slot.copy);
  if (!into) return std::nullopt;
  // Relaxed: see MessageSlot.
  const std::int64_t first = slot.claimed.exchange(slot.bytes, std::memory_order_relaxed);
  return first < slot.bytes ? std::optional(LentCopy{*into, first}) : std::nullopt;
}

bool SharedChannel::delivered(const Route& route) {
  MessageSlot& slot = outgoing(route);
  if (copy_rings_.push(route)) ++parts_;
  if (copy_rings_.passed(route)) return true;
  // Acquire: the receiver's reads are over before this rank writes the memory again. Later messages may have been
  // taken since.
  if (slot.taken.load(std::memory_order_acquire) < route.number) return false;
  copy_rings_.end(route);
  return true;
}

std::byte* SharedChannel::list_for(const Route& route, std::size_t bytes) {
  List& list = lists_[{route.peer, route.call_slot}];
  if (list.bytes < bytes) {
    held_memory_.give_back(std::exchange(list, {}).memory);
    list = {held_memory_.take(bytes), bytes};
  }
  return list.memory;
}

MemoryRange SharedChannel::range_of(const ToldRange& told, int rank) const {
  std::byte* const pointer = memory_.pointer_to(told.address, told.bytes);
  if (pointer == nullptr) return {told.address, told.bytes, rank, false};
  return {reinterpret_cast<std::uintptr_t>(pointer), told.bytes, rank, true, told.address};
}

bool SharedChannel::arrived(const Route& route, std::span<std::byte>, Arrival& arrival) {
  const MessageSlot* const there = pairs().slot_from(route.peer, route.call_slot);
  // Acquire: pairs with the release in post().
  if (there == nullptr || there->posted.load(std::memory_order_acquire) != route.number) return false;
  const MessageSlot& slot = *there;
  arrival.digest = slot.digest;
  arrival.bytes = slot.bytes;
  arrival.is_lent = slot.packing == SlotPacking::lent;
  arrival.in_place = arrival.is_lent || slot.packing == SlotPacking::in_place || slot.packing == SlotPacking::listed;
  arrival.in_parts = slot.packing == SlotPacking::streamed;
  arrival.in_its_place = slot.packing == SlotPacking::in_its_place;
  arrival.ranges.clear();
  if (arrival.in_its_place) return true;
  if (const std::byte* const bytes = bytes_of(route, slot)) {
    arrival.ranges.push_back(MemoryRange::of(bytes, slot.bytes));
  } else {
    std::memcpy(&arrival.element_size, slot.payload.data() + MessageSlot::element_at, sizeof(std::int64_t));
    arrival.type_name = reinterpret_cast<const char*>(slot.payload.data() + MessageSlot::name_at);
    std::memcpy(&arrival.tag, slot.payload.data() + MessageSlot::tag_at, sizeof(arrival.tag));
    if (!arrival.in_parts) hear_ranges(slot, route.peer, arrival);
  }
  return true;
}

/// The bytes of a short message that has come; null for one of another kind.
const std::byte* SharedChannel::bytes_of(const Route& route, const MessageSlot& slot) {
  if (slot.packing == SlotPacking::in_cell) return pairs().cell_from(route.peer, route.call_slot);
  return slot.packing == SlotPacking::inside ? slot.payload.data() : nullptr;
}

void SharedChannel::hear_ranges(const MessageSlot& slot, int peer, Arrival& arrival) const {
  const std::byte* from = slot.payload.data();
  if (slot.packing == SlotPacking::listed) {
    std::uint64_t address = 0;
    std::memcpy(&address, from, sizeof(address));
    from = memory_.pointer_to(address, 0);
  }
  for (std::uint32_t k = 0; k < slot.ranges; ++k, from += sizeof(ToldRange)) {
    ToldRange told{};
    std::memcpy(&told, from, sizeof(told));
    arrival.ranges.push_back(range_of(told, peer));
  }
}

// A place that the peer has yet to make use of stays: nothing may be written over it.
void SharedChannel::open_place(const Route& route, const OpenPlace& place) {
  const std::byte* const memory = place.where.pointer();
  const int peer = members_[static_cast<std::size_t>(route.peer)];
  if (place.where.bytes < places_from || !memory_.lies_open(memory, peer)) return;
  MessageSlot* const slot = short_slots_.found_slot(route);
  if (slot == nullptr) return;
  // Relaxed: written here alone. Acquire: pairs with post(), before which the sender has read the place for the last
  // time.
  const std::uint64_t last = slot->opened.load(std::memory_order_relaxed);
  if (slot->posted.load(std::memory_order_acquire) < last) return;
  slot->place = {memory_.address_of(memory), place.where.bytes};
  slot->place_is_sent = place.is_sent;
  // Release: publishes the place, and comes after all that this rank has done in its memory.
  slot->opened.store(route.number, std::memory_order_release);
}

std::optional<OpenPlace> SharedChannel::place_of(const Route& route) {
  const MessageSlot* const slot = pairs().slot_to(route.peer, route.call_slot);
  // Acquire: pairs with open_place() of the peer.
  if (slot == nullptr || slot->opened.load(std::memory_order_acquire) != route.number) return std::nullopt;
  const auto where = writable(slot->place);
  return where ? std::optional(OpenPlace{*where, slot->place_is_sent}) : std::nullopt;
}

/// Memory of a peer, to be written here; nothing where this rank cannot: then its owner writes it.
std::optional<MemoryRange> SharedChannel::writable(const ToldRange& told) const {
  try {
    std::byte* const pointer = memory_.writable_pointer_to(told.address, told.bytes);
    if (pointer == nullptr) return std::nullopt;
    return MemoryRange{reinterpret_cast<std::uintptr_t>(pointer), told.bytes, -1, true, told.address};
  } catch (const Error&) {  // no room for it here
    return std::nullopt;
  }
}

}  // namespace tutti::runtime
