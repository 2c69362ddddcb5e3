#include "transport/shared/pair_memory.hpp"

namespace tutti::runtime {

PairMemory::PairMemory(const ControlSegment& control, int rank, PeerMemory& memory, HeldMemory& held_memory)
    : control_(control),
      rank_(rank),
      cell_bytes_(cell_bytes(control.ranks())),
      memory_(memory),
      held_memory_(held_memory),
      out_(index(control.ranks())),
      in_(index(control.ranks())) {}

void PairMemory::take_slots(int peer) {
  std::byte* const memory = held_memory_.take(slots_bytes);
  out_[index(peer)].slots = reinterpret_cast<MessageSlot*>(memory + sizeof(PairHeader));
  // Release: whoever finds the word finds the memory zeroed, which is the initial value of all slots. This rank is the
  // word's only writer.
  control_.pair(rank_, peer).store(memory_.address_of(memory), std::memory_order_release);
}

void PairMemory::take_cells(int peer) {
  End& end = out_[index(peer)];
  if (end.slots == nullptr) take_slots(peer);
  end.cells = held_memory_.take(call_slots * cell_bytes_);
  // Relaxed: published with the first message that lies in a cell.
  header_of(end.slots).cells.store(memory_.address_of(end.cells), std::memory_order_relaxed);
}

void PairMemory::find_slots(int peer) {
  // Acquire: pairs with the release in take_slots() of the peer.
  const std::uint64_t address = control_.pair(peer, rank_).load(std::memory_order_acquire);
  if (address == 0) return;
  in_[index(peer)].slots = reinterpret_cast<MessageSlot*>(memory_.pointer_to(address, 0) + sizeof(PairHeader));
}

void PairMemory::find_cells(int peer) {
  End& end = in_[index(peer)];
  // Relaxed: who asks has read `posted` of a message in a cell with acquire, which the sender stored after the word.
  const std::uint64_t address = header_of(end.slots).cells.load(std::memory_order_relaxed);
  if (address != 0) end.cells = memory_.pointer_to(address, 0);
}

}  // namespace tutti::runtime
