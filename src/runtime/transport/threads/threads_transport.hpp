/// @file
/// Messages between threads: the receiver reads the sender's memory.
#pragma once

#include <memory>
#include <vector>

#include "runtime/transport/threads/channels.hpp"
#include "runtime/transport/transport.hpp"

namespace tutti::runtime {

/// The transport of ranks that are threads of one process. Data is never staged; a message costs two cache lines.
///
/// Withdrawal. A rank that leaves a failed communicator may free its buffers, while a peer is just reading them. So a
/// reader marks itself before it looks at `closed`, and who leaves looks at the marks after `closed` was set. Both
/// sides write one flag and then read the other's, in sequentially consistent order: either the reader sees `closed`
/// and leaves the message alone, or the leaver sees the mark and waits until the read is over (Dekker's argument).
class ThreadsTransport final : public Transport {
 public:
  ThreadsTransport(Channels& channels, int rank);

  bool post(const Route& route, const Message& message) override;
  bool delivered(const Route& route) override;
  const Message* arrived(const Route& route) override;
  void release(const Route& route) override;
  void abandon() noexcept override;
  void withdraw() noexcept override;

 private:
  LaneSlot& outgoing(const Route& route);
  LaneSlot& incoming(const Route& route);

  Channels& channels_;
  int rank_;
  std::vector<Channel*> to_;  // found so far, by peer: saves the atomic look-up
  std::vector<Channel*> from_;
};

}  // namespace tutti::runtime
