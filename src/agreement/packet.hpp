/// @file
/// Packets that ranks without common memory send one another: a head, and after it a short message or anything beside
/// messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "agreement/signature.hpp"

namespace tutti::runtime {

enum class PacketKind : std::uint16_t {
  message,     ///< a message with its bytes
  announced,   ///< a message whose bytes come once they are asked for
  clear,       ///< the receiver asks for them: under `tag`
  taken,       ///< the receiver has read message `number`, and on call slots of collectives some before
  calls,       ///< `word` collectives are completed; `digest` signatures from number `number` on, counts
  subtree,     ///< up the tree: what all ranks below have called, see CallTree
  everyone,    ///< down the tree: what all ranks have called
  colors,      ///< up and down: what ranks bring to call `number`, which makes communicators
  failure,     ///< the communicator has failed: error code `word`, text
  rank_lost,   ///< rank `word` of the run has failed: text
  rank_ended,  ///< the sender takes part in nothing any more
  waiting,     ///< tells what the sender waits for: stamp `word`, its wait state, text
  quiet,       ///< the sender has looked since it knew of the wait states with these stamps, by rank
};

struct Head {
  PacketKind kind = PacketKind::message;
  std::uint16_t call_slot = 0;
  std::uint32_t body_bytes = 0;  ///< length of the part after the head
  std::uint64_t communicator = 0;
  std::uint64_t number = 0;
  std::uint64_t digest = 0;
  std::int64_t bytes = 0;         ///< length of the message
  std::int64_t element_size = 1;  ///< element size of the message, if it is the user's own
  std::int32_t sender = 0;        ///< in the communicator
  std::int32_t tag = 0;
  std::uint64_t word = 0;
};

/// Messages up to here travel with their head.
inline constexpr std::int64_t short_bytes = 8192;

/// The body of a user's own message begins with the name of its element type, and room that aligns what follows.
inline constexpr std::size_t type_room = 64;
static_assert(sizeof(ShortName) <= type_room);

struct alignas(64) Packet {
  Head head;
  std::array<std::byte, type_room + static_cast<std::size_t>(short_bytes)> body;

  std::size_t size() const { return sizeof(Head) + head.body_bytes; }
  std::span<const std::byte> content() const { return {body.data(), head.body_bytes}; }
};
static_assert(sizeof(Head) == 64 && offsetof(Packet, body) == sizeof(Head));

using PacketPointer = std::unique_ptr<Packet>;

/// An empty packet of that kind, from rank `sender` of a communicator.
inline PacketPointer begun(PacketPointer packet, PacketKind kind, std::uint64_t communicator, int sender) {
  packet->head.kind = kind;
  packet->head.communicator = communicator;
  packet->head.sender = sender;
  return packet;
}

/// Adds `n` values to the end of the packet's body, which has room for them.
template <typename T>
void append(Packet& packet, const T* values, std::size_t n) {
  if (n == 0) return;
  std::memcpy(packet.body.data() + packet.head.body_bytes, values, n * sizeof(T));
  packet.head.body_bytes += static_cast<std::uint32_t>(n * sizeof(T));
}

}  // namespace tutti::runtime
