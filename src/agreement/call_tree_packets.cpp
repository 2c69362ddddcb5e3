// Packets of a CallTree: those that it hears, and those in which it tells every other rank its signatures in full.

#include <algorithm>
#include <cstring>

#include "agreement/call_tree.hpp"

namespace tutti::runtime {

void CallTree::hear(const Packet& packet) {
  switch (packet.head.kind) {
    case PacketKind::calls:
      return hear_calls(packet);
    case PacketKind::subtree:
      return hear_subtree(packet);
    case PacketKind::everyone:
      return hear_everyone(packet);
    case PacketKind::colors:
      return hear_colors(packet);
    default:
      return;
  }
}

void CallTree::hear_calls(const Packet& packet) {
  Told& sender = told_[packet.head.sender];
  const std::uint64_t first = packet.head.number;
  const std::uint64_t end = first + packet.head.digest;
  const std::byte* from = packet.body.data();
  for (std::uint64_t number = first; number < end; ++number, from += sizeof(Signature)) {
    Call& call = sender.calls[number % kept_calls];
    call.number = number;
    std::memcpy(&call.signature, from, sizeof(Signature));
  }
  for (std::uint64_t number = first; number < end; ++number) {
    Call& call = sender.calls[number % kept_calls];
    call.counts.resize(call.signature.by_counts ? static_cast<std::size_t>(call.signature.key) : 0);
    if (call.counts.empty()) continue;
    std::memcpy(call.counts.data(), from, call.counts.size() * sizeof(std::int64_t));
    from += call.counts.size() * sizeof(std::int64_t);
  }
  sender.entered = std::max(sender.entered, end);
  sender.completed = std::max(sender.completed, packet.head.word);
}

void CallTree::hear_subtree(const Packet& packet) {
  Child& child = children_[packet.head.sender];
  child.reach = {packet.head.number, packet.head.word, packet.head.tag != 0};
  const std::byte* from = packet.body.data();
  for (std::uint64_t number = packet.head.digest; number < packet.head.number; ++number) {
    for (auto* const words : {&child.digests, &child.balances}) {
      std::memcpy(&(*words)[number % kept_calls], from, sizeof(number));
      from += sizeof(number);
    }
  }
  if (packet.head.bytes != 0) dispute(static_cast<std::uint64_t>(packet.head.bytes) - 1);
  advance();
}

void CallTree::hear_everyone(const Packet& packet) {
  if (packet.head.bytes != 0) dispute(static_cast<std::uint64_t>(packet.head.bytes) - 1);
  learn({packet.head.number, packet.head.word, packet.head.tag != 0});
}

// ---- In full

void CallTree::tell_everyone() {
  const Reach now{entered_, completed_, false};
  if (!has_joined() || now == told_everyone_) return;
  // Earlier calls are completed by all, or agreed on.
  const std::uint64_t oldest = entered_ > collective_slots ? entered_ - collective_slots : 0;
  std::uint64_t first = std::max(told_everyone_.entered, oldest);
  told_everyone_ = now;
  do {
    const std::uint64_t end = std::min(first + calls_a_packet, entered_);
    for (int rank = 0; rank < size_; ++rank) {
      if (rank == rank_) continue;
      PacketPointer out = packet(PacketKind::calls);
      out->head.number = first;
      out->head.word = completed_;
      out->head.digest = end - first;
      put_calls(*out, first, end);
      post_.send(rank, std::move(out));
    }
    first = end;
  } while (first < entered_);
}

/// Behind the signatures, the counts of the calls that have any, as far as there is room; each signature says how many.
void CallTree::put_calls(Packet& packet, std::uint64_t first, std::uint64_t end) const {
  std::size_t room = packet.body.size() - (end - first) * sizeof(Signature);
  for (std::uint64_t number = first; number < end; ++number) {
    const Call& call = calls_[number % kept_calls];
    Signature told = call.signature;
    if (told.by_counts) {
      const std::size_t bytes = call.counts.size() * sizeof(std::int64_t);
      told.key = bytes <= room ? static_cast<std::int64_t>(call.counts.size()) : 0;
      room -= bytes <= room ? bytes : 0;
    }
    append(packet, &told, 1);
  }
  for (std::uint64_t number = first; number < end; ++number) {
    const Call& call = calls_[number % kept_calls];
    Signature told;
    std::memcpy(&told, packet.body.data() + (number - first) * sizeof(Signature), sizeof(told));
    if (told.by_counts) append(packet, call.counts.data(), static_cast<std::size_t>(told.key));
  }
}

}  // namespace tutti::runtime
