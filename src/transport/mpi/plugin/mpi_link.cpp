#include "transport/mpi/plugin/mpi_link.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "base/check.hpp"
#include "base/units.hpp"
#include "transport/mpi/plugin/hosts.hpp"
#include "transport/sleep_word.hpp"

namespace tutti::runtime {
namespace {

constexpr int packet_tag = 0;
constexpr std::size_t most_spare = 64;
/// Packets that are looked at before other things get their turn.
constexpr int burst = 16;
/// Bytes that one call of MPI moves: its counts are ints.
constexpr std::int64_t chunk_bytes = std::int64_t{1} << 30;

int started(ThreadSupport threads) {
  const int wanted = threads == ThreadSupport::one ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED;
  int has = 0;
  int initialized = 0;
  PMPI_Initialized(&initialized);
  if (initialized == 0) {
    register_for_barriers();  // before MPI has threads; the world of this host calls it again
    PMPI_Init_thread(nullptr, nullptr, wanted, &has);
  } else {
    PMPI_Query_thread(&has);
  }
  if (has < wanted && threads == ThreadSupport::in_turn) {
    fail(ErrorCode::unsupported,
         "MPI runs with threads of level {}, but a progress thread needs MPI_THREAD_SERIALIZED: do without the thread, "
         "or start MPI with that level",
         has);
  }
  return initialized;
}

}  // namespace

MpiLink::MpiLink(ThreadSupport threads) {
  int finalized = 0;
  PMPI_Finalized(&finalized);
  if (finalized != 0) {
    fail(ErrorCode::unsupported, "MPI_Finalize was called before tutti::world(): call it afterwards, or not at all");
  }
  started_here_ = started(threads) == 0;
  PMPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
  PMPI_Comm_rank(communicator_, &rank_);
  PMPI_Comm_size(communicator_, &size_);
  host_ = host_of(communicator_);
  most_crowded_host_ = most_crowded(host_, communicator_);
  layout_ = layout_of(communicator_);
  if (layout_.nodes() > 1) node_link_ = measured_link(layout_, communicator_);
  int* most = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(communicator_, MPI_TAG_UB, static_cast<void*>(&most), &found);
  if (found != 0) most_tag_ = *most;
  awaited_ = packet();
  await_packet();
  watch_for_finalize();
}

// MPI_Finalize() first deletes what is attached to MPI_COMM_SELF, as if that communicator were freed, and calls who has
// attached it while everything else of MPI still works (MPI 3.1, §8.7.1).
void MpiLink::watch_for_finalize() {
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalize_begins, &finalize_key_, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, finalize_key_, this);
}

int MpiLink::finalize_begins(MPI_Comm, int, void* link, void*) {
  MpiLink& self = *static_cast<MpiLink*>(link);
  if (self.closed_) return MPI_SUCCESS;
  self.within_finalize_ = true;
  if (self.before_finalize_) self.before_finalize_();
  return MPI_SUCCESS;
}

void MpiLink::all_gather(const void* mine, std::size_t bytes, void* all) {
  const auto count = static_cast<int>(bytes);
  PMPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, communicator_);
}

void MpiLink::broadcast(void* bytes, std::size_t count) {
  PMPI_Bcast(bytes, static_cast<int>(count), MPI_BYTE, 0, communicator_);
}

// ---- Packets

PacketPointer MpiLink::packet() {
  if (spare_.empty()) return std::make_unique_for_overwrite<Packet>();
  PacketPointer packet = std::move(spare_.back());
  spare_.pop_back();
  packet->head = {};
  return packet;
}

void MpiLink::recycle(PacketPointer packet) {
  if (packet != nullptr && spare_.size() < most_spare) spare_.push_back(std::move(packet));
}

void MpiLink::send(int to, PacketPointer packet) {
  if (closed_) return;
  // Release: where ranks share memory beside MPI, all that this rank has written there comes before the packet. MPI
  // brings the packet from one rank to the other in some way that orders; the fences leave compilers no choice either.
  std::atomic_thread_fence(std::memory_order_release);
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Isend(packet.get(), static_cast<int>(packet->size()), MPI_BYTE, to, packet_tag, communicator_, &request);
  int done = 0;
  PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
  if (done != 0) {
    recycle(std::move(packet));
  } else {
    sending_.push_back({std::move(packet), request});
  }
}

void MpiLink::await_packet() {
  PMPI_Irecv(awaited_.get(), sizeof(Packet), MPI_BYTE, MPI_ANY_SOURCE, packet_tag, communicator_, &awaiting_);
}

bool MpiLink::receive_packets() {
  for (int count = 0; count < burst; ++count) {
    int come = 0;
    MPI_Status status;
    PMPI_Test(&awaiting_, &come, &status);
    if (come == 0) return count > 0;
    // Acquire: pairs with send() of who has sent it.
    std::atomic_thread_fence(std::memory_order_acquire);
    PacketPointer arrived = std::exchange(awaited_, packet());
    await_packet();
    receiver_(status.MPI_SOURCE, std::move(arrived));
  }
  return true;
}

// ---- Long messages

int MpiLink::next_tag() {
  last_tag_ = last_tag_ == most_tag_ ? packet_tag + 1 : last_tag_ + 1;
  return last_tag_;
}

TransferPointer MpiLink::send_long(int to, int tag, const std::byte* from, std::int64_t bytes) {
  auto transfer = std::make_shared<Transfer>();
  transfer->direction_ = Transfer::Direction::send;
  transfer->peer_ = to;
  transfer->tag_ = tag;
  transfer->at_ = const_cast<std::byte*>(from);  // only read: the direction says so
  transfer->left_ = bytes;
  begin_chunk(*transfer);
  transfers_.push_back(transfer);
  return transfer;
}

TransferPointer MpiLink::receive_long(int from, int tag, std::byte* into, std::int64_t bytes) {
  auto transfer = std::make_shared<Transfer>();
  transfer->direction_ = Transfer::Direction::receive;
  transfer->peer_ = from;
  transfer->tag_ = tag;
  transfer->at_ = into;
  transfer->left_ = bytes;
  begin_chunk(*transfer);
  transfers_.push_back(transfer);
  return transfer;
}

void MpiLink::begin_chunk(Transfer& transfer) {
  transfer.under_way_ = std::min(transfer.left_, chunk_bytes);
  const int bytes = static_cast<int>(transfer.under_way_);
  if (transfer.direction_ == Transfer::Direction::send) {
    PMPI_Isend(transfer.at_, bytes, MPI_BYTE, transfer.peer_, transfer.tag_, communicator_, &transfer.request_);
  } else {
    PMPI_Irecv(transfer.at_, bytes, MPI_BYTE, transfer.peer_, transfer.tag_, communicator_, &transfer.request_);
  }
}

/// The current chunk has come to its end.
void MpiLink::count_chunk(Transfer& transfer, const MPI_Status& status) {
  int bytes = 0;
  if (transfer.direction_ == Transfer::Direction::receive) PMPI_Get_count(&status, MPI_BYTE, &bytes);
  const bool is_all = transfer.direction_ == Transfer::Direction::receive && bytes == 0;
  // A sender that sends nothing has nothing to send any more.
  transfer.left_ = is_all ? 0 : transfer.left_ - transfer.under_way_;
}

void MpiLink::end_chunk(Transfer& transfer, const MPI_Status& status) {
  count_chunk(transfer, status);
  if (transfer.discarded_.data() == nullptr) transfer.at_ += transfer.under_way_;
  if (transfer.left_ > 0) begin_chunk(transfer);
}

bool MpiLink::advance_transfers() {
  bool moved = false;
  std::erase_if(transfers_, [&](const TransferPointer& transfer) {
    int come = 0;
    MPI_Status status;
    PMPI_Test(&transfer->request_, &come, &status);
    if (come == 0) return false;
    moved = true;
    end_chunk(*transfer, status);
    return transfer->done();
  });
  return moved;
}

void MpiLink::send_nothing(int to, int tag) {
  const auto transfer = std::make_shared<Transfer>();
  transfer->peer_ = to;
  transfer->tag_ = tag;
  begin_chunk(*transfer);
  transfers_.push_back(transfer);
}

// Cancelling fails where the message has come already: then what has come is written, and ends. Otherwise the sender is
// yet to send, and finds the same receive in another place.
void MpiLink::divert(Transfer& transfer) {
  if (transfer.done() || transfer.discarded_.data() != nullptr || closed_) return;
  PMPI_Cancel(&transfer.request_);
  MPI_Status status;
  // A receive that was cancelled ends at once, or with the message that was there already: MPI says so.
  PMPI_Wait(&transfer.request_, &status);
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (cancelled == 0) count_chunk(transfer, status);
  if (transfer.done()) {
    std::erase_if(transfers_, [&](const TransferPointer& each) { return each.get() == &transfer; });
  } else {
    discard(transfer);
    begin_chunk(transfer);
  }
}

/// Receives the rest of the transfer into memory of its own.
void MpiLink::discard(Transfer& transfer) const {
  const std::int64_t bytes = std::min(transfer.left_, chunk_bytes);
  try {
    transfer.discarded_ = AlignedBytes(bytes);
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::unsupported,
         "rank {} has no room for {} of a message that rank {} is yet to send, though its communicator has ended: free "
         "memory",
         rank_, text_of(Bytes{bytes}), transfer.peer_);
  }
  transfer.at_ = transfer.discarded_.data();
}

// ---- Progress, and the end

bool MpiLink::progress() {
  if (closed_) return false;
  bool moved = receive_packets();
  std::erase_if(sending_, [&](Sending& sending) {
    int done = 0;
    PMPI_Test(&sending.request, &done, MPI_STATUS_IGNORE);
    if (done != 0) recycle(std::move(sending.packet));
    return done != 0;
  });
  if (!transfers_.empty()) moved |= advance_transfers();
  return moved;
}

void MpiLink::close() {
  if (closed_) return;
  closed_ = true;
  PMPI_Cancel(&awaiting_);
  // Ends at once: a receive that was cancelled does.
  PMPI_Wait(&awaiting_, MPI_STATUS_IGNORE);
  PMPI_Comm_free(&communicator_);
  if (!within_finalize_) PMPI_Comm_delete_attr(MPI_COMM_SELF, finalize_key_);
  PMPI_Comm_free_keyval(&finalize_key_);
  if (started_here_ && !within_finalize_) PMPI_Finalize();
}

void MpiLink::abort() {
  PMPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();
}

}  // namespace tutti::runtime
