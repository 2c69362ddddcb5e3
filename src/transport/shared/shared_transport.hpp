/// @file
/// Messages between ranks on one machine, threads or processes: the receiver reads the sender's memory.
#pragma once

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "transport/origin.hpp"
#include "transport/shared/control_segment.hpp"
#include "transport/shared/cooperative_fold.hpp"
#include "transport/shared/copy_rings.hpp"
#include "transport/shared/holdings.hpp"
#include "transport/shared/peer_memory.hpp"
#include "transport/shared/short_slots.hpp"
#include "transport/transport.hpp"

namespace tutti::runtime {

/// The transport over a ControlSegment. Short messages ride beside the flag that announces them, or in a cell; longer
/// ones are streamed (CopyRings) where they lie in memory of the sender's own and a ring holds them, and otherwise read
/// where they lie. Where the system keeps ranks from reading one another's memory, all that lies there is streamed.
///
/// Withdrawal. A rank that leaves a failed communicator may free its buffers while a peer is just reading them. So a
/// reader marks itself before it looks at `closed`, and who leaves looks at the marks after `closed` was set. Both
/// sides write one flag and then read the other's, in sequentially consistent order: either the reader sees `closed`
/// and leaves the memory alone, or the leaver sees the mark and waits until the reading is over (Dekker's argument).
///
/// A reader that is stopped, or gets no core to run on, is not waited for without end. What it can do once it goes on:
/// - A process that reads gets other bytes, or is refused. It looks at `closed` after each fold, which this rank has
///   set before it changed its memory, and drops what it computed. So nothing comes of it.
/// - A process that helps this rank, and writes into its own memory by calls of the system, finds the Gate shut: it
///   writes nothing.
/// - A process that helps with a result in memory that all reach writes it directly, whenever it goes on, into whatever
///   lies there by then; and a thread that reads what was given back may find no memory there. Neither can be kept from
///   it, so that this process ends, with a sentence, rather than going on with data of which nobody knows what they
///   are.
class SharedTransport final : public Transport {
 public:
  /// `members` are the communicator's ranks in the whole run; `records` are those of all ranks of the run; `owner` says
  /// whose the control segment is.
  SharedTransport(const ControlSegment& control, int rank, std::vector<int> members, std::span<RankRecord> records,
                  PeerMemory& memory, Leftovers& leftovers, Leftovers::Owner owner);
  ~SharedTransport() override;

  const ControlSegment& block() const { return control_; }

  bool may_enter(std::uint64_t number) override;
  void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) override;
  bool has_signed(int rank, std::uint64_t number) override;
  const Signature& signature(int rank, std::uint64_t number) override;
  std::vector<std::int64_t> counts(int rank, std::uint64_t number) override;
  void complete(std::uint64_t number) override;
  bool has_completed(int rank, std::uint64_t number) override;
  void flush() override;
  bool settled() override;
  std::optional<std::uint64_t> disputed() const override { return disputed_; }
  bool has_finished(int rank, std::uint64_t number) const override;
  void tell(std::uint64_t number, std::uint64_t word) override;
  std::optional<std::uint64_t> told(int rank, std::uint64_t number) override;

  Offer post(const Route& route, const Outgoing& message) override;
  bool delivered(const Route& route) override;
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override;
  std::span<const std::byte> part(const Route& route) override { return copy_rings_.part(incoming(route)); }
  void take(const Route& route, std::int64_t bytes) override { copy_rings_.take(incoming(route), route.peer, bytes); }
  void release(const Route& route) override { short_slots_.release(route); }
  ShortSlots* short_slots() override { return &short_slots_; }
  bool begin_reading() override;
  void end_reading() noexcept override;
  bool carry_out(const Fold& fold, const Combination& how, int call_slot) override;
  void help(int peer, int call_slot, const Combination& how) override;

  void lie_down(WokenBy what) override { alarm_.lie_down(what); }
  void get_up(WokenBy what) override { alarm_.get_up(what); }

  bool failed() const override { return control_.header().closed.load(std::memory_order_acquire) != 0; }
  void fail(ErrorCode code, const std::string& message) override;
  Error error() const override;
  void withdraw() noexcept override;

 private:
  using PairLane = std::pair<int, int>;
  struct List {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
  };

  void compare_until(std::uint64_t number);
  static void tell_type(MessageSlot& slot, const Outgoing& message);
  void hear_stretches(const MessageSlot& slot, int peer, Arrival& arrival) const;
  void tell_stretches(MessageSlot& slot, const Route& route, const Outgoing& message);
  MessageSlot& outgoing(const Route& route) { return *pairs().slot_to(route.peer, route.call_slot); }
  MessageSlot& incoming(const Route& route) { return *pairs().known_slot_from(route.peer, route.call_slot); }
  const std::byte* bytes_of(const Route& route, const MessageSlot& slot);
  PairMemory& pairs() { return short_slots_.pairs(); }
  bool is_private(const Outgoing& message) const;
  [[noreturn]] void refuse(const Refusal& refusal, const Fold& fold) const;
  std::byte* list_for(const Route& route, std::size_t bytes);
  std::int64_t keep_counts(std::size_t at, std::span<const std::int64_t> counts);
  Stretch stretch_of(const TellStretch& told, int rank) const;
  void wait_for_reader(int peer) const;

  ControlSegment control_;
  Origin origin_;
  int rank_;
  std::vector<int> members_;
  PeerMemory& memory_;
  Leftovers& leftovers_;
  Leftovers::Owner owner_;
  Holdings holdings_;
  Alarm alarm_;
  ShortSlots short_slots_;
  CooperativeFold cooperative_fold_;
  CopyRings copy_rings_;

  std::uint64_t free_below_ = collective_slots;  // all collectives below may be entered
  std::uint64_t compared_ = 0;                   // all collectives below were compared
  std::uint64_t entered_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t told_completed_ = 0;
  std::optional<std::uint64_t> disputed_;
  std::array<List, board_depth> counts_ = {};  // of the calls on the board
  std::map<PairLane, List> lists_;             // stretches told in memory of their own; kept for the next message
  bool withdrawn_ = false;
};

}  // namespace tutti::runtime
