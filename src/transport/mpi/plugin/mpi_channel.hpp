/// @file
/// Messages between ranks that MPI connects.
#pragma once

#include <map>
#include <utility>

#include "transport/interfaces/channel.hpp"
#include "transport/mpi/plugin/mpi_peers.hpp"

namespace tutti::runtime {

/// The channel over point-to-point messages of MPI. No rank reaches another's memory: every message arrives here.
///
/// Up to `short_bytes` a message travels with its head, in one packet; its sender goes on at once. A longer
/// one is announced, and sent once the receiver has found a place for it: one way more, and no copy at the receiver
/// where it arrives in the memory that it is meant for, nor at the sender where it lies in one piece. At most `window`
/// messages that nobody has read are on their way between two ranks on a call slot, so that who runs ahead does not
/// fill its peer's memory; for that every `window` / 2 messages of a call slot cost an answer. Messages of the user's
/// own are answered one by one: their sends end when they were read.
class MpiChannel final : public Channel {
 public:
  explicit MpiChannel(MpiPeers& peers) : peers_(peers), box_(peers.box()) {}

  PostResult post(const Route& route, const Outgoing& message) override;
  bool delivered(const Route& route) override;
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override;
  void release(const Route& route) override;
  void hear() override { peers_.progress(); }

 private:
  void post_short(const Route& route, const Outgoing& message);
  void announce(const Route& route, const Outgoing& message);
  bool is_wanted(const Route& route, const Head& head, std::span<std::byte> landing) const;
  bool has_come(const Route& route, Incoming& incoming, std::span<std::byte> landing);

  MpiPeers& peers_;
  Mailbox& box_;
  std::map<std::pair<int, int>, std::uint64_t> windows_;  // by peer and call slot: the message before the call's first
};

}  // namespace tutti::runtime
