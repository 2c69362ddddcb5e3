// What a CallTree hears.

#include <algorithm>
#include <cstring>

#include "agreement/call_tree.hpp"

namespace tutti::runtime {

void CallTree::hear(const Packet& packet) {
  switch (packet.head.kind) {
    case Kind::calls:
      return hear_calls(packet);
    case Kind::subtree:
      return hear_subtree(packet);
    case Kind::everyone:
      return hear_everyone(packet);
    case Kind::colors:
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
  for (std::uint64_t number = packet.head.digest; number < packet.head.number; ++number, from += sizeof(number)) {
    std::memcpy(&child.digests[number % kept_calls], from, sizeof(number));
  }
  if (packet.head.bytes != 0) dispute(static_cast<std::uint64_t>(packet.head.bytes) - 1);
  advance();
}

void CallTree::hear_everyone(const Packet& packet) {
  if (packet.head.bytes != 0) dispute(static_cast<std::uint64_t>(packet.head.bytes) - 1);
  learn({packet.head.number, packet.head.word, packet.head.tag != 0});
}

}  // namespace tutti::runtime
