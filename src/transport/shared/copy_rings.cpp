#include "transport/shared/copy_rings.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace tutti::runtime {
namespace {

/// Bytes that are told to the other side at a time, so that both copy at once.
constexpr std::int64_t part_bytes = 32 * 1024;

/// The largest number of bytes up to `most` that are whole elements; one element at least.
std::int64_t whole_elements(std::int64_t most, std::int64_t element_size) {
  return std::max<std::int64_t>(most / element_size, 1) * element_size;
}

}  // namespace

// ---- Out

RingPace& CopyRings::pace_to(int peer) {
  const auto at = static_cast<std::size_t>(peer);
  if (paces_.size() <= at) paces_.resize(at + 1);
  return paces_[at];
}

bool CopyRings::is_free(const Use& use) const {
  if (use.route.number == 0) return true;
  // Acquire: the receiver has read what lies in the ring.
  const MessageSlot& slot = *pairs_.slot_to(use.route.peer, use.route.call_slot);
  return slot.taken.load(std::memory_order_acquire) >= use.route.number;
}

/// A ring that nobody uses; null: there is none.
CopyRings::Use* CopyRings::free_ring() {
  for (Use& use : uses_) {
    if (is_free(use) && (use.ring != nullptr || take_memory(use))) return &use;
  }
  return nullptr;
}

bool CopyRings::take_memory(Use& use) {
  try {
    use.ring = held_memory_.take(ring_bytes);
    return true;
  } catch (const Error&) {  // there are other ways
    return false;
  }
}

void CopyRings::take_ring(Outflow& flow, const Route& route) {
  const auto cell_bytes = static_cast<std::int64_t>(pairs_.cell_bytes());
  Use* const use = flow.element_size <= static_cast<std::int64_t>(ring_bytes) ? free_ring() : nullptr;
  if (use != nullptr) {
    use->route = route;
    flow.ring = {use->ring, ring_bytes};
  } else if (flow.element_size <= cell_bytes) {
    flow.ring = {pairs_.take_cell_to(route.peer, route.call_slot), pairs_.cell_bytes()};
  } else {
    // The ring is freed when the message was taken, so the sender waits for that.
    flow.own = held_memory_.take(static_cast<std::size_t>(flow.element_size));
    flow.ring = {flow.own, static_cast<std::size_t>(flow.element_size)};
    flow.may_buffer = false;
  }
  const std::int64_t whole = whole_elements(static_cast<std::int64_t>(flow.ring.size()), flow.element_size);
  flow.ring = flow.ring.first(static_cast<std::size_t>(whole));
}

void CopyRings::begin(MessageSlot& slot, const Route& route, const Outgoing& message) {
  Outflow flow;
  for (const Slice& slice : message.slices) {
    const auto bytes = static_cast<std::size_t>(slice.count * message.bindings->element_size);
    if (bytes > 0) flow.pieces.emplace_back(message.bindings->at(slice), bytes);
  }
  flow.total = message.bytes;
  flow.element_size = message.bindings->element_size;
  flow.may_buffer = message.may_buffer;
  take_ring(flow, route);
  slot.packing = SlotPacking::streamed;
  const ToldRange told{memory_.address_of(flow.ring.data()), static_cast<std::int64_t>(flow.ring.size())};
  std::memcpy(slot.payload.data(), &told, sizeof(told));
  std::memcpy(slot.payload.data() + MessageSlot::element_at, &flow.element_size, sizeof(flow.element_size));
  // Relaxed: published by `posted`, and the receiver reads them only after that.
  slot.filled.store(0, std::memory_order_relaxed);
  slot.drained.store(0, std::memory_order_relaxed);
  out_.emplace(key_of(route), std::move(flow));
}

bool CopyRings::push_out(const Route& route) {
  const auto found = out_.find(key_of(route));
  if (found == out_.end()) return false;
  Outflow& flow = found->second;
  MessageSlot& slot = *pairs_.slot_to(route.peer, route.call_slot);
  const std::int64_t before = flow.passed;
  const bool is_timed = before == 0 && flow.total > always_streamed_bytes && !is_outnumbered_;
  if (!is_timed) {
    push_parts(flow, slot, route.peer);
  } else {
    const auto begin = std::chrono::steady_clock::now();
    push_parts(flow, slot, route.peer);
    pace_to(route.peer).note(flow.passed, std::chrono::steady_clock::now() - begin);
  }
  return flow.passed > before;
}

/// Puts in what there is room for.
void CopyRings::push_parts(Outflow& flow, MessageSlot& slot, int peer) {
  const auto size = static_cast<std::int64_t>(flow.ring.size());
  const std::int64_t most = whole_elements(part_bytes, flow.element_size);
  while (flow.passed < flow.total) {
    // Acquire: the receiver has read what lay here before.
    const std::int64_t room = slot.drained.load(std::memory_order_acquire) + size - flow.passed;
    if (room == 0) break;
    const std::int64_t at = flow.passed % size;
    const std::int64_t n = std::min({size - at, room, flow.total - flow.passed, most});
    copy_out(flow, flow.ring.data() + at, n);
    flow.passed += n;
    // Release: publishes the bytes.
    slot.filled.store(flow.passed, std::memory_order_release);
    alarm_.ring(peer);
  }
}

void CopyRings::copy_out(Outflow& flow, std::byte* to, std::int64_t bytes) {
  for (auto left = static_cast<std::size_t>(bytes); left > 0;) {
    std::span<const std::byte>& piece = flow.pieces[flow.piece];
    const std::size_t n = std::min(left, piece.size());
    std::memcpy(to, piece.data(), n);
    to += n;
    left -= n;
    piece = piece.subspan(n);
    if (piece.empty()) ++flow.piece;
  }
}

bool CopyRings::passed_out(const Route& route) {
  const auto found = out_.find(key_of(route));
  if (found == out_.end() || !found->second.may_buffer || found->second.passed < found->second.total) return false;
  out_.erase(found);
  return true;
}

void CopyRings::forget_out(const Route& route) {
  const auto found = out_.find(key_of(route));
  if (found == out_.end()) return;
  held_memory_.give_back(found->second.own);
  out_.erase(found);
}

// ---- In

std::span<const std::byte> CopyRings::part(const MessageSlot& slot) const {
  ToldRange ring{};
  std::memcpy(&ring, slot.payload.data(), sizeof(ring));
  std::int64_t element_size = 1;
  std::memcpy(&element_size, slot.payload.data() + MessageSlot::element_at, sizeof(element_size));
  // Relaxed: this rank writes it alone.
  const std::int64_t drained = slot.drained.load(std::memory_order_relaxed);
  // Acquire: pairs with the release in push_out().
  const std::int64_t there = slot.filled.load(std::memory_order_acquire) - drained;
  const std::int64_t at = drained % ring.bytes;
  const std::int64_t n = std::min({ring.bytes - at, there, whole_elements(part_bytes, element_size)});
  return {memory_.pointer_to(ring.address, 0) + at, static_cast<std::size_t>(n)};
}

void CopyRings::take(MessageSlot& slot, int peer, std::int64_t bytes) const {
  // Release: the bytes were read before the sender overwrites them.
  slot.drained.store(slot.drained.load(std::memory_order_relaxed) + bytes, std::memory_order_release);
  alarm_.ring(peer);
}

}  // namespace tutti::runtime
