/// @file
/// The memory through which the messages of an ordered pair of ranks pass.
///
/// A pair has no memory until its first message. Then the sender takes
///
///     | PairHeader | a MessageSlot a call slot |    and for the first longer message    | a cell a call slot |
///
/// from what all ranks reach, and publishes the slots in the pair's word of the control segment, the cells in the
/// pair's header. A receiver that finds 0 there knows that nothing has come. So memory grows with the pairs that do
/// talk, of which most algorithms have log p a rank, and not with p.
#pragma once

#include <cstddef>
#include <vector>

#include "base/transport.hpp"
#include "transport/shared/control_segment.hpp"
#include "transport/shared/peer_memory.hpp"

namespace tutti::runtime {

/// Header of a pair: what the sender tells the receiver beside the slots.
struct PairHeader {
  alignas(
      line_pair) std::atomic<std::uint64_t> cells;  ///< address of the cells; 0: none yet. Written by the sender, once.
};

/// One rank's pairs on a communicator: where their memory lies in this process, kept in plain memory, because a short
/// collective spends most of its time on slots. For one thread at a time.
class PairMemory {
 public:
  static constexpr std::size_t slots_bytes = sizeof(PairHeader) + call_slots * sizeof(MessageSlot);

  PairMemory(const ControlSegment& control, int rank, PeerMemory& memory, HeldMemory& held_memory);

  /// Room for the bytes of one message beside its slot.
  static std::size_t cell_bytes(int ranks) { return static_cast<std::size_t>(longest_short_message(ranks)); }
  static_assert(slots_of_a_pair == call_slots && slot_bytes == sizeof(MessageSlot));
  std::size_t cell_bytes() const { return cell_bytes_; }

  // Out

  /// The slot for messages to the peer; null while the pair has none.
  MessageSlot* slot_to(int peer, int call_slot) const { return at(out_[index(peer)].slots, call_slot); }
  /// The cell beside it; null while the pair has none.
  std::byte* cell_to(int peer, int call_slot) const { return cell_at(out_[index(peer)].cells, call_slot); }
  /// Returns the slot, and takes the memory if the pair has none yet. Throws `Error(unsupported)` if there is no more.
  MessageSlot& take_slot_to(int peer, int call_slot) {
    if (out_[index(peer)].slots == nullptr) take_slots(peer);
    return *slot_to(peer, call_slot);
  }
  std::byte* take_cell_to(int peer, int call_slot) {
    if (out_[index(peer)].cells == nullptr) take_cells(peer);
    return cell_to(peer, call_slot);
  }

  // In

  /// The slot for messages from the peer, and the cell beside it; null while the peer has taken none. Both throw
  /// `Error(unsupported)` where this process has no room for the peer's memory.
  MessageSlot* slot_from(int peer, int call_slot) {
    const End& end = in_[index(peer)];
    if (end.slots == nullptr) [[unlikely]]
      find_slots(peer);
    return at(end.slots, call_slot);
  }
  std::byte* cell_from(int peer, int call_slot) {
    const End& end = in_[index(peer)];
    if (end.cells == nullptr) [[unlikely]]
      find_cells(peer);
    return cell_at(end.cells, call_slot);
  }
  /// Returns slots that this process has found already.
  MessageSlot* known_slot_from(int peer, int call_slot) const { return at(in_[index(peer)].slots, call_slot); }
  std::byte* known_cell_from(int peer, int call_slot) const { return cell_at(in_[index(peer)].cells, call_slot); }

 private:
  /// The memory of a pair as this process sees it.
  struct End {
    MessageSlot* slots = nullptr;  // the first
    std::byte* cells = nullptr;    // the first
  };

  static std::size_t index(int peer) { return static_cast<std::size_t>(peer); }
  static MessageSlot* at(MessageSlot* first, int call_slot) { return first == nullptr ? nullptr : first + call_slot; }
  std::byte* cell_at(std::byte* first, int call_slot) const {
    return first == nullptr ? nullptr : first + static_cast<std::size_t>(call_slot) * cell_bytes_;
  }
  static PairHeader& header_of(MessageSlot* slots) { return *(reinterpret_cast<PairHeader*>(slots) - 1); }

  void take_slots(int peer);
  void take_cells(int peer);
  void find_slots(int peer);
  void find_cells(int peer);

  ControlSegment control_;
  int rank_;
  std::size_t cell_bytes_;
  PeerMemory& memory_;
  HeldMemory& held_memory_;
  std::vector<End> out_;  // by peer
  std::vector<End> in_;   // by peer
};

static_assert(sizeof(PairHeader) % alignof(MessageSlot) == 0, "slots follow the header");

}  // namespace tutti::runtime
