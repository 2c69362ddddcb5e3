#include "transport/mpi/plugin/mpi_channel.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::runtime {
namespace {

constexpr std::uint64_t window = 16;

}  // namespace

// ---- Messages out

PostResult MpiChannel::post(const Route& route, const Outgoing& message) {
  peers_.progress();
  if (box_.failure) return PostResult::refused;
  // Both sides begin to count anew with each call, of which all ranks have completed the call slot's last one.
  std::uint64_t& begin = windows_[{route.peer, route.call_slot}];
  if (route.begins) begin = route.number - 1;
  if (route.number > std::max(begin, box_.read[{route.peer, route.call_slot}]) + window) return PostResult::refused;
  if (message.bytes > short_bytes) {
    announce(route, message);
    return PostResult::offered;
  }
  post_short(route, message);
  if (message.may_buffer) return PostResult::delivered;
  box_.unread[{route.peer, route.call_slot, route.number}];
  return PostResult::offered;
}

namespace {

void pack(const Outgoing& message, std::byte* to) {
  for (const Slice& slice : message.slices) {
    const std::int64_t bytes = slice.count * message.bindings->element_size;
    std::memcpy(to, message.bindings->at(slice), static_cast<std::size_t>(bytes));
    to += bytes;
  }
}

/// Fills in what the receiver is told of the message, and returns where its bytes go.
std::byte* describe(Packet& packet, const Route& route, const Outgoing& message) {
  packet.head.call_slot = static_cast<std::uint16_t>(route.call_slot);
  packet.head.number = route.number;
  packet.head.digest = message.digest;
  packet.head.bytes = message.bytes;
  packet.head.element_size = message.bindings->element_size;
  packet.head.tag = message.tag;
  if (route.call_slot != message_slot) return packet.body.data();
  const ShortName name(message.type_name);
  std::memcpy(packet.body.data(), &name, sizeof(name));
  packet.head.body_bytes = type_room;
  return packet.body.data() + type_room;
}

}  // namespace

void MpiChannel::post_short(const Route& route, const Outgoing& message) {
  PacketPointer out = peers_.packet(PacketKind::message);
  pack(message, describe(*out, route, message));
  out->head.body_bytes += static_cast<std::uint32_t>(message.bytes);
  peers_.send(route.peer, std::move(out));
}

void MpiChannel::announce(const Route& route, const Outgoing& message) {
  Unread& unread = box_.unread[{route.peer, route.call_slot, route.number}];
  unread.bytes = message.bytes;
  if (message.slices.size() == 1) {
    unread.data = message.bindings->at(message.slices.front());
  } else {
    unread.packed = AlignedBytes(message.bytes);
    pack(message, unread.packed.data());
    unread.data = unread.packed.data();
  }
  PacketPointer out = peers_.packet(PacketKind::announced);
  describe(*out, route, message);
  peers_.send(route.peer, std::move(out));
}

bool MpiChannel::delivered(const Route& route) {
  peers_.progress();
  const auto found = box_.unread.find({route.peer, route.call_slot, route.number});
  if (found == box_.unread.end()) return true;
  if (!found->second.is_delivered()) return false;
  box_.unread.erase(found);
  return true;
}

// ---- Messages in

bool MpiChannel::arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) {
  auto found = box_.incoming.find({route.peer, route.call_slot, route.number});
  if (found == box_.incoming.end() || found->second.packet->head.kind == PacketKind::announced) {
    peers_.progress();
    found = box_.incoming.find({route.peer, route.call_slot, route.number});
  }
  if (found == box_.incoming.end()) return false;
  Incoming& incoming = found->second;
  const Head& head = incoming.packet->head;
  arrival.digest = head.digest;
  arrival.bytes = head.bytes;
  arrival.element_size = head.element_size;
  arrival.tag = head.tag;
  arrival.in_place = false;
  arrival.in_parts = false;
  arrival.ranges.clear();
  const std::byte* body = incoming.packet->body.data();
  if (route.call_slot == message_slot) {
    arrival.type_name = reinterpret_cast<const char*>(body);
    body += type_room;
  }
  if (head.kind == PacketKind::announced) {
    if (!is_wanted(route, head, landing)) return true;
    if (!has_come(route, incoming, landing)) return false;
    body = incoming.place;
  }
  arrival.ranges.push_back(MemoryRange::of(body, head.bytes));
  return true;
}

/// Whether the message is what this rank waits for, as far as can be seen here; else it is told of the message alone.
bool MpiChannel::is_wanted(const Route& route, const Head& head, std::span<std::byte> landing) const {
  if (!landing.empty() && static_cast<std::int64_t>(landing.size()) != head.bytes) return false;
  if (route.call_slot == message_slot) return static_cast<std::int64_t>(landing.size()) == head.bytes;
  // The call slot's latest call of this rank.
  const auto call_slot = static_cast<std::uint64_t>(route.call_slot);
  const std::uint64_t number = (box_.calls.entered() - 1 - call_slot) / collective_slots * collective_slots + call_slot;
  return box_.calls.mine(number).digest == head.digest;
}

bool MpiChannel::has_come(const Route& route, Incoming& incoming, std::span<std::byte> landing) {
  if (incoming.transfer != nullptr) return incoming.transfer->done() && !box_.failure;
  if (box_.failure) return false;
  const Head& head = incoming.packet->head;
  if (landing.empty()) incoming.own = AlignedBytes(head.bytes);
  incoming.place = landing.empty() ? incoming.own.data() : landing.data();
  const int from = peers_.member(route.peer);
  PacketPointer answer = peers_.packet(PacketKind::clear);
  answer->head.call_slot = head.call_slot;
  answer->head.number = head.number;
  answer->head.tag = peers_.link().next_tag();
  incoming.transfer = peers_.link().receive_long(from, answer->head.tag, incoming.place, head.bytes);
  peers_.link().send(from, std::move(answer));
  return false;
}

void MpiChannel::release(const Route& route) {
  const auto found = box_.incoming.find({route.peer, route.call_slot, route.number});
  if (found == box_.incoming.end()) return;
  peers_.link().recycle(std::move(found->second.packet));
  box_.incoming.erase(found);
  // The first message of a call has a number that the window divides; it needs no answer.
  if (route.call_slot != message_slot && (route.number + 1) % (window / 2) != 0) return;
  PacketPointer answer = peers_.packet(PacketKind::taken);
  answer->head.call_slot = static_cast<std::uint16_t>(route.call_slot);
  answer->head.number = route.number;
  peers_.send(route.peer, std::move(answer));
}

}  // namespace tutti::runtime
