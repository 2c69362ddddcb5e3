#include "transport/mpi/plugin/mpi_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/waiting_time.hpp"
#include "kernels/copy.hpp"
#include "transport/fold_here.hpp"

namespace tutti::runtime {
namespace {

constexpr std::uint64_t window = 16;
/// A rank that waits publishes its calls after so long, and again. Others need to hear of it where ranks call different
/// things, or where it is behind; whoever needs what others have called, as settling does, publishes at once.
constexpr std::chrono::milliseconds patience(20);
constexpr int looks_between = 16;

}  // namespace

MpiTransport::MpiTransport(MpiWorld& world, std::uint64_t identity, int rank, std::vector<int> members)
    : world_(world),
      link_(world.link()),
      identity_(identity),
      rank_(rank),
      members_(std::move(members)),
      box_(world.mailbox(identity)) {
  // Not through this object: the rank has its part in the tree until all have left.
  box_.calls.join(
      rank_, size(),
      {.packet = [&link = link_] { return link.packet(); },
       .send = [&link = link_, members = members_](
                   int to, PacketPointer out) { link.send(members[static_cast<std::size_t>(to)], std::move(out)); }});
}

MpiTransport::~MpiTransport() {
  if (!origin_.is_this_process()) return;  // a child's copy, and MPI is no child's
  withdraw();
  world_.leave(identity_);
}

void MpiTransport::progress() {
  world_.progress();
  if (box_.arrivals != arrivals_) {
    arrivals_ = box_.arrivals;
    fruitless_ = 0;
    return;
  }
  if (++fruitless_ % looks_between != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (fruitless_ == looks_between) waits_since_ = now;
  if (now - waits_since_ < patience) return;
  waits_since_ = now;
  box_.calls.publish();
}

// ---- Calls

bool MpiTransport::may_enter(std::uint64_t number) {
  // Who has entered a call in which ranks differ enters no later one; who is behind comes to it.
  if (number < free_below_ && !box_.calls.is_disputed_below(number)) return true;
  progress();
  if (box_.calls.is_disputed_below(number)) return false;
  const std::uint64_t completed = box_.calls.completed_by_all();
  if (completed + collective_slots <= number) {
    box_.calls.publish();
    return false;
  }
  free_below_ = completed + collective_slots;
  return true;
}

bool MpiTransport::has_signed(int rank, std::uint64_t number) {
  if (box_.calls.has_signed(rank, number)) return true;
  progress();
  box_.calls.publish();
  return box_.calls.has_signed(rank, number);
}

bool MpiTransport::settled() {
  progress();
  box_.calls.publish();
  const std::uint64_t entered = box_.calls.entered();
  return box_.calls.entered_by_all() >= entered && !box_.calls.is_disputed_below(entered);
}

// ---- Messages out

Offer MpiTransport::post(const Route& route, const Outgoing& message) {
  progress();
  if (failed()) return Offer::refused;
  // Both sides begin to count anew with each call, of which all ranks have completed the call slot's last one.
  std::uint64_t& begin = windows_[{route.peer, route.call_slot}];
  if (route.begins) begin = route.number - 1;
  if (route.number > std::max(begin, box_.read[{route.peer, route.call_slot}]) + window) return Offer::refused;
  if (message.bytes > short_bytes) {
    announce(route, message);
    return Offer::offered;
  }
  post_short(route, message);
  if (message.may_buffer) return Offer::delivered;
  box_.unread[{route.peer, route.call_slot, route.number}];
  return Offer::offered;
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

void MpiTransport::post_short(const Route& route, const Outgoing& message) {
  PacketPointer out = packet(Kind::message);
  pack(message, describe(*out, route, message));
  out->head.body_bytes += static_cast<std::uint32_t>(message.bytes);
  send(route.peer, std::move(out));
}

void MpiTransport::announce(const Route& route, const Outgoing& message) {
  Unread& unread = box_.unread[{route.peer, route.call_slot, route.number}];
  unread.bytes = message.bytes;
  if (message.slices.size() == 1) {
    unread.data = message.bindings->at(message.slices.front());
  } else {
    unread.packed = AlignedBytes(message.bytes);
    pack(message, unread.packed.data());
    unread.data = unread.packed.data();
  }
  PacketPointer out = packet(Kind::announced);
  describe(*out, route, message);
  send(route.peer, std::move(out));
}

bool MpiTransport::delivered(const Route& route) {
  progress();
  const auto found = box_.unread.find({route.peer, route.call_slot, route.number});
  if (found == box_.unread.end()) return true;
  if (!found->second.is_delivered()) return false;
  box_.unread.erase(found);
  return true;
}

// ---- Messages in

bool MpiTransport::arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) {
  auto found = box_.incoming.find({route.peer, route.call_slot, route.number});
  if (found == box_.incoming.end() || found->second.packet->head.kind == Kind::announced) {
    progress();
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
  arrival.stretches.clear();
  const std::byte* body = incoming.packet->body.data();
  if (route.call_slot == message_slot) {
    arrival.type_name = reinterpret_cast<const char*>(body);
    body += type_room;
  }
  if (head.kind == Kind::announced) {
    if (!is_wanted(route, head, landing)) return true;
    if (!has_come(route, incoming, landing)) return false;
    body = incoming.place;
  }
  arrival.stretches.push_back(Stretch::of(body, head.bytes));
  return true;
}

/// Whether the message is what this rank waits for, as far as can be seen here; else it is told of the message alone.
bool MpiTransport::is_wanted(const Route& route, const Head& head, std::span<std::byte> landing) const {
  if (!landing.empty() && static_cast<std::int64_t>(landing.size()) != head.bytes) return false;
  if (route.call_slot == message_slot) return static_cast<std::int64_t>(landing.size()) == head.bytes;
  // The call slot's latest call of this rank.
  const auto call_slot = static_cast<std::uint64_t>(route.call_slot);
  const std::uint64_t number = (box_.calls.entered() - 1 - call_slot) / collective_slots * collective_slots + call_slot;
  return box_.calls.mine(number).digest == head.digest;
}

bool MpiTransport::has_come(const Route& route, Incoming& incoming, std::span<std::byte> landing) {
  if (incoming.transfer != nullptr) return incoming.transfer->done() && !failed();
  if (failed()) return false;
  const Head& head = incoming.packet->head;
  if (landing.empty()) incoming.own = AlignedBytes(head.bytes);
  incoming.place = landing.empty() ? incoming.own.data() : landing.data();
  const int from = members_[static_cast<std::size_t>(route.peer)];
  PacketPointer answer = packet(Kind::clear);
  answer->head.call_slot = head.call_slot;
  answer->head.number = head.number;
  answer->head.tag = link_.next_tag();
  incoming.transfer = link_.receive_long(from, answer->head.tag, incoming.place, head.bytes);
  link_.send(from, std::move(answer));
  return false;
}

void MpiTransport::release(const Route& route) {
  const auto found = box_.incoming.find({route.peer, route.call_slot, route.number});
  if (found == box_.incoming.end()) return;
  link_.recycle(std::move(found->second.packet));
  box_.incoming.erase(found);
  // The first message of a call has a number that the window divides; it needs no answer.
  if (route.call_slot != message_slot && (route.number + 1) % (window / 2) != 0) return;
  PacketPointer answer = packet(Kind::taken);
  answer->head.call_slot = static_cast<std::uint16_t>(route.call_slot);
  answer->head.number = route.number;
  send(route.peer, std::move(answer));
}

bool MpiTransport::carry_out(const Fold& fold, const Combination& how, int) {
  const Stretch& from = fold.operands.front();
  if (fold.operands.size() == 1 && from.address == fold.into.address) return true;  // it has arrived there
  const bool large = fold.into.bytes >= static_cast<std::int64_t>(streaming_from);
  fold_here(fold, how, 0, fold.into.bytes, large ? detail::Stores::streaming : detail::Stores::cached, pointers_);
  return true;
}

// ---- Failure

void MpiTransport::fail(ErrorCode code, const std::string& message) {
  if (failed()) return;
  box_.failure.emplace(code, message);
  for (int peer = 0; peer < size(); ++peer) {
    if (peer == rank_) continue;
    PacketPointer out = packet(Kind::failure);
    const std::size_t n = message.copy(reinterpret_cast<char*>(out->body.data()), out->body.size());
    out->head.word = static_cast<std::uint64_t>(code);
    out->head.body_bytes = static_cast<std::uint32_t>(n);
    send(peer, std::move(out));
  }
}

void MpiTransport::withdraw() noexcept {
  for (auto& [key, incoming] : box_.incoming) {
    if (incoming.transfer != nullptr) link_.divert(*incoming.transfer);
  }
  box_.incoming.clear();
  // Those that the receiver has not asked for are gone from here on: see Mailbox::clear.
  std::erase_if(box_.unread, [](const auto& each) { return each.second.transfer == nullptr; });
  for (auto& [key, unread] : box_.unread) wait_for_end(*unread.transfer, key.peer);
  box_.unread.clear();
}

// The receiver has its place ready, so that the transfer ends as soon as MPI runs there. Where it does not, for so
// long, MPI may still read memory that its owner is about to free: the error ends the process, because withdraw() lets
// none pass.
void MpiTransport::wait_for_end(const Transfer& transfer, int peer) {
  WaitingTime waiting;
  while (!transfer.done() && !link_.closed()) {
    if (link_.progress()) continue;
    if (waiting.look() >= timeout) {
      throw Error(ErrorCode::timeout,
                  fmt::format("rank {} cannot leave its communicator ({}): rank {} has not taken a message for {:g} s",
                              rank_, failed() ? error().what() : "which ends", peer, timeout.count()));
    }
    std::this_thread::yield();
  }
}

}  // namespace tutti::runtime
