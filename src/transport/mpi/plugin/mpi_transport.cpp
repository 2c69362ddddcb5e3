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

constexpr std::uint64_t batch = collective_slots / 2;
constexpr std::uint64_t window = 16;
/// Who has found nothing for so long waits, and has the time to tell the others what it has done. Seldom asked, because
/// most waits are shorter.
constexpr std::chrono::microseconds patience(300);
constexpr int looks_between = 16;

}  // namespace

MpiTransport::MpiTransport(MpiWorld& world, std::uint64_t identity, int rank, std::vector<int> members)
    : world_(world),
      link_(world.link()),
      identity_(identity),
      rank_(rank),
      members_(std::move(members)),
      box_(world.mailbox(identity)) {}

MpiTransport::~MpiTransport() {
  if (!origin_.is_this_process()) return;  // a child's copy, and MPI is no child's
  withdraw();
  tell_calls();
  send_to_others(Kind::left, [](Packet&) {});
  world_.leave(identity_, size());
}

PacketPointer MpiTransport::packet(Kind kind) const {
  PacketPointer packet = link_.packet();
  packet->head.kind = kind;
  packet->head.communicator = identity_;
  packet->head.sender = rank_;
  return packet;
}

template <typename Fill>
void MpiTransport::send_to_others(Kind kind, const Fill& fill) {
  for (int peer = 0; peer < size(); ++peer) {
    if (peer == rank_) continue;
    PacketPointer each = packet(kind);
    fill(*each);
    send(peer, std::move(each));
  }
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
  if (now - waits_since_ > patience) tell_calls();
}

// ---- Calls

bool MpiTransport::may_enter(std::uint64_t number) {
  if (number < free_below_) return true;
  progress();
  std::uint64_t least = number;
  for (int rank = 0; rank < size(); ++rank) {
    if (rank != rank_) least = std::min(least, box_.calls(rank).completed);
  }
  if (least + collective_slots <= number) {
    tell_calls();
    return false;
  }
  compare_until(least);
  free_below_ = least + collective_slots;
  return !disputed_;
}

// All ranks have entered all collectives below `number`, and none can have entered one that overwrites what it signed.
void MpiTransport::compare_until(std::uint64_t number) {
  for (; compared_ < number && !disputed_; ++compared_) {
    const std::size_t at = compared_ % kept_calls;
    const std::uint64_t mine = box_.calls(rank_).signatures[at].digest;
    for (int rank = 0; rank < size(); ++rank) {
      if (box_.calls(rank).signatures[at].digest == mine) continue;
      disputed_ = compared_;
      return;
    }
  }
}

void MpiTransport::sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) {
  CallsOfARank& mine = box_.calls(rank_);
  mine.signatures[number % kept_calls] = signature;
  if (signature.by_counts) mine.counts[number % kept_calls].assign(counts.begin(), counts.end());
  mine.entered = number + 1;
  if (signature.purpose != Purpose::collective || mine.entered - told_entered_ >= batch) tell_calls();
}

void MpiTransport::complete(std::uint64_t number) {
  CallsOfARank& mine = box_.calls(rank_);
  mine.completed = number;
  if (number - told_completed_ >= batch) tell_calls();
}

namespace {

/// Behind the signatures, the counts of the calls that have any, as far as there is room; each signature says how many.
std::byte* put_counts(const CallsOfARank& mine, std::uint64_t first, Packet& packet, std::byte* to) {
  std::byte* signature = packet.body.data();
  for (std::uint64_t number = first; number < mine.entered; ++number, signature += sizeof(Signature)) {
    const std::vector<std::int64_t>& counts = mine.counts[number % kept_calls];
    Signature told = mine.signatures[number % kept_calls];
    if (!told.by_counts) continue;
    const std::size_t bytes = counts.size() * sizeof(counts[0]);
    const bool fits = bytes <= static_cast<std::size_t>(packet.body.data() + packet.body.size() - to);
    told.key = fits ? static_cast<std::int64_t>(counts.size()) : 0;
    std::memcpy(signature, &told, sizeof(told));
    if (told.key == 0) continue;
    std::memcpy(to, counts.data(), bytes);
    to += bytes;
  }
  return to;
}

}  // namespace

void MpiTransport::tell_calls() {
  const CallsOfARank& mine = box_.calls(rank_);
  if (told_entered_ == mine.entered && told_completed_ == mine.completed) return;
  const std::uint64_t first = told_entered_;
  told_entered_ = mine.entered;
  told_completed_ = mine.completed;
  send_to_others(Kind::calls, [&](Packet& packet) {
    packet.head.number = first;
    packet.head.word = mine.completed;
    std::byte* to = packet.body.data();
    for (std::uint64_t number = first; number < mine.entered; ++number, to += sizeof(Signature)) {
      std::memcpy(to, &mine.signatures[number % kept_calls], sizeof(Signature));
    }
    packet.head.digest = mine.entered - first;
    to = put_counts(mine, first, packet, to);
    packet.head.body_bytes = static_cast<std::uint32_t>(to - packet.body.data());
  });
}

bool MpiTransport::has_signed(int rank, std::uint64_t number) {
  if (box_.calls(rank).entered > number) return true;
  progress();
  tell_calls();
  return box_.calls(rank).entered > number;
}

const Signature& MpiTransport::signature(int rank, std::uint64_t number) {
  return box_.calls(rank).signatures[number % kept_calls];
}

bool MpiTransport::settled() {
  tell_calls();
  const std::uint64_t entered = box_.calls(rank_).entered;
  for (int rank = 0; rank < size(); ++rank) {
    if (entered > 0 && !has_signed(rank, entered - 1)) return false;
  }
  compare_until(entered);
  return !disputed_;
}

void MpiTransport::tell(std::uint64_t number, std::uint64_t word) {
  send_to_others(Kind::told, [&](Packet& packet) {
    packet.head.number = number;
    packet.head.word = word;
  });
}

std::optional<std::uint64_t> MpiTransport::told(int rank, std::uint64_t number) {
  progress();
  const CallsOfARank& calls = box_.calls(rank);
  if (calls.told[number % kept_calls] != number + 1) return std::nullopt;
  return calls.words[number % kept_calls];
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
  const CallsOfARank& mine = box_.calls(rank_);
  // The call slot's latest call of this rank.
  const auto call_slot = static_cast<std::uint64_t>(route.call_slot);
  const std::uint64_t number = (mine.entered - 1 - call_slot) / collective_slots * collective_slots + call_slot;
  return mine.signatures[number % kept_calls].digest == head.digest;
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
  if (route.call_slot != message_slot && route.number % (window / 2) != 0) return;
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
  send_to_others(Kind::failure, [&](Packet& packet) {
    const std::size_t n = std::min(message.size(), packet.body.size());
    std::memcpy(packet.body.data(), message.data(), n);
    packet.head.word = static_cast<std::uint64_t>(code);
    packet.head.body_bytes = static_cast<std::uint32_t>(n);
  });
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
