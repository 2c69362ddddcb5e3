/// @file
/// One rank among the ranks of a communicator that MPI connects.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "transport/mpi/plugin/mailbox.hpp"
#include "transport/mpi/plugin/mpi_link.hpp"

namespace tutti::runtime {

/// Sends packets to the communicator's ranks and hears theirs, which wait in the mailbox.
class MpiPeers {
 public:
  /// `members` are the communicator's ranks in the whole run.
  MpiPeers(MpiLink& link, Mailboxes& mailboxes, std::uint64_t identity, int rank, std::vector<int> members);

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(members_.size()); }
  /// The rank in the whole run of the communicator's `rank`.
  int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }
  Mailbox& box() const { return box_; }
  MpiLink& link() const { return link_; }

  PacketPointer packet(PacketKind kind) const { return begun(link_.packet(), kind, identity_, rank_); }
  void send(int peer, PacketPointer packet) const { link_.send(member(peer), std::move(packet)); }
  /// Hears what others have sent. A rank that has heard nothing for a while publishes its calls: others need to know of
  /// them where ranks call different things, or where it is behind. Who needs what others have called, as settling
  /// does, publishes at once.
  void progress();

 private:
  MpiLink& link_;
  std::uint64_t identity_;
  int rank_;
  std::vector<int> members_;
  Mailbox& box_;
  std::uint64_t arrivals_ = 0;
  std::uint32_t fruitless_ = 0;  // times that nothing had come
  std::chrono::steady_clock::time_point waits_since_;
};

}  // namespace tutti::runtime
