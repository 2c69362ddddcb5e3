/// @file
/// Messages between ranks that MPI connects.
#pragma once

#include <chrono>
#include <vector>

#include "transport/mpi/plugin/mailbox.hpp"
#include "transport/mpi/plugin/mpi_world.hpp"
#include "transport/origin.hpp"
#include "transport/transport.hpp"

namespace tutti::runtime {

/// The transport over point-to-point messages of MPI. No rank reaches another's memory: every message arrives here.
///
/// Messages. Up to `short_bytes` a message travels with its head, in one packet; its sender goes on at once. A longer
/// one is announced, and sent once the receiver has found a place for it: one way more, and no copy at the receiver
/// where it arrives in the memory that it is meant for, nor at the sender where it lies in one piece. At most `window`
/// messages that nobody has read are on their way between two ranks on a call slot, so that who runs ahead does not
/// fill its peer's memory; for that every `window` / 2 messages of a call slot cost an answer. Messages of the user's
/// own are answered one by one: their sends end when they were read.
///
/// Calls are agreed on over a tree: see CallTree.
///
/// Failure. Who calls fail() first tells all others. Where two ranks do so at the same time, each keeps its own
/// sentence, and the others the one that they get first. After a failure no transfer is begun with memory of the
/// user's; withdraw() ends those under way, for which the peer has to come to its next call of tutti.
class MpiTransport final : public Transport {
 public:
  /// `members` are the communicator's ranks in the whole run.
  MpiTransport(MpiWorld& world, std::uint64_t identity, int rank, std::vector<int> members);
  ~MpiTransport() override;

  bool may_enter(std::uint64_t number) override;
  void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) override {
    box_.calls.sign(number, signature, counts);
  }
  bool has_signed(int rank, std::uint64_t number) override;
  const Signature& signature(int rank, std::uint64_t number) override { return box_.calls.signature(rank, number); }
  std::vector<std::int64_t> counts(int rank, std::uint64_t number) override { return box_.calls.counts(rank, number); }
  void complete(std::uint64_t number) override { box_.calls.complete(number); }
  bool has_completed(int rank, std::uint64_t number) override { return box_.calls.has_completed(rank, number); }
  /// Nothing: this rank publishes its calls when it has waited for a while, because most waits end before.
  void flush() override {}
  void tell_all() override {
    box_.calls.publish();
    box_.calls.tell_everyone();
  }
  bool settled() override;
  std::optional<std::uint64_t> disputed() const override { return box_.calls.disputed(); }

  Offer post(const Route& route, const Outgoing& message) override;
  bool delivered(const Route& route) override;
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override;
  void release(const Route& route) override;
  bool begin_reading() override { return !failed(); }
  void end_reading() noexcept override {}
  bool carry_out(const Fold& fold, const Combination& how, int call_slot) override;
  void help(int, int, const Combination&) override {}

  bool failed() const override { return box_.failure.has_value(); }
  void fail(ErrorCode code, const std::string& message) override;
  Error error() const override { return *box_.failure; }
  void withdraw() noexcept override;

  /// The communicator's name in packets.
  std::uint64_t identity() const { return identity_; }

 private:
  PacketPointer packet(Kind kind) const { return begun(link_.packet(), kind, identity_, rank_); }
  void send(int peer, PacketPointer packet) { link_.send(members_[static_cast<std::size_t>(peer)], std::move(packet)); }
  void progress();
  int size() const { return static_cast<int>(members_.size()); }

  void post_short(const Route& route, const Outgoing& message);
  void announce(const Route& route, const Outgoing& message);
  bool is_wanted(const Route& route, const Head& head, std::span<std::byte> landing) const;
  bool has_come(const Route& route, Incoming& incoming, std::span<std::byte> landing);
  void wait_for_end(const Transfer& transfer, int peer);

  MpiWorld& world_;
  Origin origin_;
  Link& link_;
  std::uint64_t identity_;
  int rank_;
  std::vector<int> members_;
  Mailbox& box_;
  std::vector<const void*> pointers_;

  std::uint64_t free_below_ = collective_slots;  // all collectives below may be entered
  std::uint64_t arrivals_ = 0;
  int fruitless_ = 0;  // times that nothing had come
  std::chrono::steady_clock::time_point waits_since_;
  std::map<std::pair<int, int>, std::uint64_t> windows_;  // by peer and call slot: the message before the call's first
};

}  // namespace tutti::runtime
