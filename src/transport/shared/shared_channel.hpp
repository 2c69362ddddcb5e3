/// @file
/// Messages between ranks on one machine, threads or processes: the receiver reads the sender's memory.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "transport/channel.hpp"
#include "transport/shared/alarm.hpp"
#include "transport/shared/copy_rings.hpp"
#include "transport/shared/holdings.hpp"
#include "transport/shared/peer_memory.hpp"
#include "transport/shared/short_slots.hpp"

namespace tutti::runtime {

/// The channel over memory that sender and receiver share. Short messages ride beside the flag that announces them, or
/// in a cell; longer ones are streamed (CopyRings) where they lie in memory of the sender's own and a ring holds them,
/// and otherwise read where they lie. Where the system keeps ranks from reading one another's memory, all that lies
/// there is streamed.
class SharedChannel final : public Channel {
 public:
  /// `members` are the communicator's ranks in the whole run.
  SharedChannel(const ControlSegment& control, int rank, const std::vector<int>& members, PeerMemory& memory,
                Holdings& holdings, const Alarm& alarm)
      : members_(members),
        memory_(memory),
        holdings_(holdings),
        alarm_(alarm),
        short_slots_(control, rank, memory, holdings, alarm),
        copy_rings_(pairs(), memory, holdings, alarm) {}

  Offer post(const Route& route, const Outgoing& message) override;
  bool delivered(const Route& route) override;
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override;
  std::span<const std::byte> part(const Route& route) override { return copy_rings_.part(incoming(route)); }
  void take(const Route& route, std::int64_t bytes) override { copy_rings_.take(incoming(route), route.peer, bytes); }
  void release(const Route& route) override { short_slots_.release(route); }
  void open_place(const Route& route, const OpenPlace& place) override;
  std::optional<OpenPlace> place_of(const Route& route) override;
  bool lends_copy(const Route& route) override { return outgoing(route).packing == Packing::lent; }
  std::optional<std::int64_t> claim_copy(const Route& route, std::int64_t bytes) override;
  std::optional<LentCopy> take_copy(const Route& route) override;
  ShortSlots* short_slots() override { return &short_slots_; }
  std::uint64_t parts() const override { return parts_; }

  void lie_down(WokenBy what) override { alarm_.lie_down(what); }
  void get_up(WokenBy what) override { alarm_.get_up(what); }

 private:
  using PeerSlot = std::pair<int, int>;
  struct List {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
  };

  void lend_copy(MessageSlot& slot, const Outgoing& message, int receiver) const;
  std::optional<Stretch> writable(const TellStretch& told) const;
  static void tell_type(MessageSlot& slot, const Outgoing& message);
  void hear_stretches(const MessageSlot& slot, int peer, Arrival& arrival) const;
  void tell_stretches(MessageSlot& slot, const Route& route, const Outgoing& message);
  MessageSlot& outgoing(const Route& route) { return *pairs().slot_to(route.peer, route.call_slot); }
  MessageSlot& incoming(const Route& route) { return *pairs().known_slot_from(route.peer, route.call_slot); }
  const std::byte* bytes_of(const Route& route, const MessageSlot& slot);
  PairMemory& pairs() { return short_slots_.pairs(); }
  bool is_private(const Outgoing& message, int receiver) const;
  std::byte* list_for(const Route& route, std::size_t bytes);
  Stretch stretch_of(const TellStretch& told, int rank) const;

  const std::vector<int>& members_;
  PeerMemory& memory_;
  Holdings& holdings_;
  const Alarm& alarm_;
  ShortSlots short_slots_;
  CopyRings copy_rings_;
  std::uint64_t parts_ = 0;
  std::map<PeerSlot, List> lists_;  // stretches told in memory that this rank holds; kept for the next message
};

}  // namespace tutti::runtime
