#include "runtime/transport/threads/threads_transport.hpp"

#include <thread>

namespace tutti::runtime {

ThreadsTransport::ThreadsTransport(Channels& channels, int rank)
    : channels_(channels),
      rank_(rank),
      to_(static_cast<std::size_t>(channels.ranks())),
      from_(static_cast<std::size_t>(channels.ranks())) {}

LaneSlot& ThreadsTransport::outgoing(const Route& route) {
  Channel*& channel = to_[static_cast<std::size_t>(route.peer)];
  if (channel == nullptr) channel = &channels_.between(rank_, route.peer);
  return channel->slots[static_cast<std::size_t>(route.lane)];
}

LaneSlot& ThreadsTransport::incoming(const Route& route) {
  Channel*& channel = from_[static_cast<std::size_t>(route.peer)];
  if (channel == nullptr) channel = &channels_.between(route.peer, rank_);
  return channel->slots[static_cast<std::size_t>(route.lane)];
}

bool ThreadsTransport::post(const Route& route, const Message& message) {
  LaneSlot& slot = outgoing(route);
  // Acquire: the receiver has read the message before, and the slot may be written.
  if (slot.taken.load(std::memory_order_acquire) != route.number) return false;
  slot.message = message;
  // Release: publishes the message, and all that this rank has written into the memory that it describes.
  slot.posted.store(route.number + 1, std::memory_order_release);
  return true;
}

bool ThreadsTransport::delivered(const Route& route) {
  // Acquire: the receiver's reads are over before this rank writes the memory again.
  return outgoing(route).taken.load(std::memory_order_acquire) > route.number;
}

const Message* ThreadsTransport::arrived(const Route& route) {
  LaneSlot& slot = incoming(route);
  // Acquire: pairs with the release in post().
  if (slot.posted.load(std::memory_order_acquire) != route.number + 1) return nullptr;
  std::atomic<std::uint64_t>& mark = channels_.reading(rank_).count;
  // Sequentially consistent, this store and the load after it: see "Withdrawal" above.
  mark.store(mark.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
  if (channels_.closed.load(std::memory_order_seq_cst)) {
    abandon();
    return nullptr;
  }
  return &slot.message;
}

void ThreadsTransport::release(const Route& route) {
  abandon();
  // Release: this rank's reads of the sender's memory come before the sender's next writes.
  incoming(route).taken.store(route.number + 1, std::memory_order_release);
}

void ThreadsTransport::abandon() noexcept {
  std::atomic<std::uint64_t>& mark = channels_.reading(rank_).count;
  // Release: the reads are over before a peer that withdraws sees the mark gone.
  mark.store(mark.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void ThreadsTransport::withdraw() noexcept {
  for (int peer = 0; peer < channels_.ranks(); ++peer) {
    if (peer == rank_) continue;
    const std::atomic<std::uint64_t>& mark = channels_.reading(peer).count;
    // Sequentially consistent: comes after the store to `closed`. It also acquires the end of the peer's reads.
    const std::uint64_t seen = mark.load(std::memory_order_seq_cst);
    if (seen % 2 == 0) continue;
    while (mark.load(std::memory_order_acquire) == seen) std::this_thread::yield();
  }
}

}  // namespace tutti::runtime
