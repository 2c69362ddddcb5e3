/// @file
/// Messages between ranks on one machine, threads or processes: the receiver reads the sender's memory.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "transport/interfaces/channel.hpp"
#include "transport/shared/alarm.hpp"
#include "transport/shared/copy_rings.hpp"
#include "transport/shared/peer_memory.hpp"
#include "transport/shared/short_slots.hpp"

namespace tutti::runtime {

/// The channel over memory that sender and receiver share. Short messages ride beside the flag that announces them, or
/// in a cell; longer ones are streamed (CopyRings) where they lie in memory of the sender's own and a ring holds them,
/// and otherwise read where they lie. Where the system keeps ranks from reading one another's memory, all that lies
/// there is streamed.
class SharedChannel final : public Channel, public StreamedMessages, public OpenPlaces, public ReceiverCopies {
 public:
  /// `members` are the communicator's ranks in the whole run; `is_outnumbered`: their host has more ranks than cores.
  SharedChannel(const ControlSegment& control, int rank, const std::vector<int>& members, PeerMemory& memory,
                HeldMemory& held_memory, const Alarm& alarm, bool is_outnumbered)
      : members_(members),
        memory_(memory),
        held_memory_(held_memory),
        alarm_(alarm),
        short_slots_(control, rank, memory, held_memory, alarm),
        copy_rings_(pairs(), memory, held_memory, alarm, is_outnumbered) {}

  PostResult post(const Route& route, const Outgoing& message) override;
  bool delivered(const Route& route) override;
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override;
  std::span<const std::byte> part(const Route& route) override { return copy_rings_.part(incoming(route)); }
  void take(const Route& route, std::int64_t bytes) override { copy_rings_.take(incoming(route), route.peer, bytes); }
  void release(const Route& route) override { short_slots_.release(route); }
  void open_place(const Route& route, const OpenPlace& place) override;
  std::optional<OpenPlace> place_of(const Route& route) override;
  bool lends_copy(const Route& route) override { return outgoing(route).packing == SlotPacking::lent; }
  std::optional<std::int64_t> claim_copy(const Route& route, std::int64_t bytes) override;
  std::optional<LentCopy> take_copy(const Route& route) override;
  std::uint64_t parts() const override { return parts_; }

  ChannelCapabilities capabilities() override {
    return {.short_slots = &short_slots_,
            .most_short_bytes = short_slots_.most_bytes(),
            .streams = this,
            .open_places = this,
            .receiver_copies = this};
  }
  void prepare_sleep(WokenBy what) override { alarm_.prepare_sleep(what); }
  void finish_sleep(WokenBy what) override { alarm_.finish_sleep(what); }

 private:
  using PeerSlot = std::pair<int, int>;
  struct List {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
  };

  void lend_copy(MessageSlot& slot, const Outgoing& message, int receiver) const;
  std::optional<MemoryRange> writable(const ToldRange& told) const;
  static void tell_type(MessageSlot& slot, const Outgoing& message);
  void hear_ranges(const MessageSlot& slot, int peer, Arrival& arrival) const;
  void tell_ranges(MessageSlot& slot, const Route& route, const Outgoing& message);
  MessageSlot& outgoing(const Route& route) { return *pairs().slot_to(route.peer, route.call_slot); }
  MessageSlot& incoming(const Route& route) { return *pairs().known_slot_from(route.peer, route.call_slot); }
  const std::byte* bytes_of(const Route& route, const MessageSlot& slot);
  PairMemory& pairs() { return short_slots_.pairs(); }
  bool is_private(const Outgoing& message, int receiver) const;
  std::byte* list_for(const Route& route, std::size_t bytes);
  MemoryRange range_of(const ToldRange& told, int rank) const;

  const std::vector<int>& members_;
  PeerMemory& memory_;
  HeldMemory& held_memory_;
  const Alarm& alarm_;
  ShortSlots short_slots_;
  CopyRings copy_rings_;
  std::uint64_t parts_ = 0;
  std::map<PeerSlot, List> lists_;  // ranges told in memory that this rank holds; kept for the next message
};

}  // namespace tutti::runtime
