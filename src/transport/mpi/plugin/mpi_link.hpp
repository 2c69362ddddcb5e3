/// @file
/// This process's end of MPI: packets from and to every rank of the run, and long messages.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <vector>

#include "agreement/packet.hpp"
#include "transport/interfaces/world.hpp"
#include "transport/mpi/plugin.hpp"

namespace tutti::runtime {

/// Bytes that no initialization touches, aligned for any element type.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::int64_t bytes)
      : memory_(static_cast<std::byte*>(::operator new[](static_cast<std::size_t>(bytes), std::align_val_t{64}))) {}
  std::byte* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

/// A long message under way, in chunks that MPI can count. Both sides have agreed on it before it begins, so that it
/// always comes to an end: no send waits for a receive that nobody makes.
class Transfer {
 public:
  bool done() const { return left_ == 0; }

 private:
  friend class MpiLink;
  enum class Direction : std::uint8_t { send, receive };

  Direction direction_ = Direction::send;
  int peer_ = 0;
  int tag_ = 0;
  std::byte* at_ = nullptr;
  std::int64_t left_ = 0;
  std::int64_t under_way_ = 0;  // bytes of the current chunk
  MPI_Request request_ = MPI_REQUEST_NULL;
  AlignedBytes discarded_;  // memory for a diverted receive
};

using TransferPointer = std::shared_ptr<Transfer>;

/// Packets of one rank arrive in the order in which they were sent. Nothing blocks but the constructor, all_gather(),
/// broadcast(), divert() and close(). One thread at a time.
///
/// Errors of MPI itself end the job, as MPI's own error handler does.
class MpiLink {
 public:
  using Receiver = std::function<void(int from, PacketPointer packet)>;

  /// Starts MPI unless the program has done so. Throws `Error(unsupported)` where MPI cannot do with these threads, or
  /// has been ended.
  explicit MpiLink(ThreadSupport threads);
  MpiLink(const MpiLink&) = delete;
  MpiLink& operator=(const MpiLink&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// See World.
  HostShare host() const { return host_; }
  HostShare most_crowded_host() const { return most_crowded_host_; }
  const Layout& layout() const { return layout_; }
  std::optional<LinkTimes> node_link() const { return node_link_; }
  /// See Plugin. Blocks.
  void all_gather(const void* mine, std::size_t bytes, void* all);
  void broadcast(void* bytes, std::size_t count);
  /// Sets the receiver of the packets that progress() finds.
  void deliver_to(Receiver receiver) { receiver_ = std::move(receiver); }

  /// A packet to be filled and sent.
  PacketPointer packet();
  void send(int to, PacketPointer packet);
  void recycle(PacketPointer packet);

  /// Long messages: one side sends, the other receives, the same number of bytes under the same tag. The memory stays
  /// until the transfer is done. Tags are given out by the receiver.
  TransferPointer send_long(int to, int tag, const std::byte* from, std::int64_t bytes);
  TransferPointer receive_long(int from, int tag, std::byte* into, std::int64_t bytes);
  int next_tag();
  /// Answers a receive whose message is not to be had any more: it ends at once.
  void send_nothing(int to, int tag);
  /// From the return on, the receive writes to memory of its own. Throws `Error(unsupported)` where there is none.
  void divert(Transfer& transfer);

  /// Moves everything, and says whether anything did.
  bool progress();
  /// Whether a long message is under way: an MPI may move its bytes in progress() alone.
  bool is_carrying() const { return !transfers_.empty(); }
  /// Whether nothing that this rank sends or receives is under way.
  bool idle() const { return sending_.empty() && transfers_.empty(); }
  /// `end` is called within the program's own MPI_Finalize(), while MPI still works, unless close() was called before.
  void before_finalize(std::function<void()> end) { before_finalize_ = std::move(end); }
  /// Lets go of all that MPI has given, and ends MPI if this has started it. All other ranks are about to do so, and
  /// send nothing any more.
  void close();
  /// Ends the whole job.
  [[noreturn]] void abort();
  bool closed() const { return closed_; }

 private:
  struct Sending {
    PacketPointer packet;
    MPI_Request request;
  };

  static int finalize_begins(MPI_Comm, int, void* link, void*);
  void watch_for_finalize();
  void await_packet();
  bool receive_packets();
  bool advance_transfers();
  void discard(Transfer& transfer) const;
  void begin_chunk(Transfer& transfer);
  static void count_chunk(Transfer& transfer, const MPI_Status& status);
  void end_chunk(Transfer& transfer, const MPI_Status& status);

  bool started_here_ = false;
  bool closed_ = false;
  bool within_finalize_ = false;
  int finalize_key_ = MPI_KEYVAL_INVALID;
  std::function<void()> before_finalize_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  HostShare host_;
  HostShare most_crowded_host_;
  Layout layout_;
  std::optional<LinkTimes> node_link_;
  int most_tag_ = 32767;
  int last_tag_ = 0;
  Receiver receiver_;
  PacketPointer awaited_;
  MPI_Request awaiting_ = MPI_REQUEST_NULL;
  std::vector<PacketPointer> spare_;
  std::list<Sending> sending_;
  std::list<TransferPointer> transfers_;
};

}  // namespace tutti::runtime
