/// @file
/// A run whose ranks MPI connects: one process a rank.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "transport/mpi/plugin/link.hpp"
#include "transport/mpi/plugin/mailbox.hpp"
#include "transport/mpi/plugin/open_boxes.hpp"
#include "transport/threads/threads_memory.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// What a rank knows of the others is what they have told it, which it hears whenever it waits or tests.
///
/// Circles of ranks that wait for one another are found among up to 1,032 ranks: one packet holds what a rank has seen
/// of all others. Among more, such a wait ends with its timeout.
///
/// The end, which comes with tutti::finalize(), with the program's own MPI_Finalize(), or at exit. A rank that ends
/// tells all others, and answers them until all have ended: only then it ends MPI. Where a rank has failed, the others
/// have a moment to learn why and to end by themselves, and then the job is aborted.
///
/// Guarded by the rank (ProgressEngine::guard) but for losses(), the records, allocate() and free(), which are
/// thread-safe.
class MpiWorld final : public World {
 public:
  explicit MpiWorld(Threads threads);

  int size() const override { return link_.size(); }
  RankRecord& record(int rank) override { return records_[static_cast<std::size_t>(rank)]; }
  std::uint32_t losses() const override { return losses_.load(std::memory_order_acquire); }
  void watch() override { progress(); }
  void fail(int rank, const std::string& reason) override;
  void announce(int rank, std::string_view text, const Standing& standing) override;
  void withdraw(int rank) override;
  std::uint64_t moment() override { return heard_; }
  void note_quiet(int, std::uint64_t moment) override { quiet_since_ = moment; }
  void tell_quiet(int rank) override;
  bool were_quiet(std::span<const Stand> stands) const override;
  Membership whole(int rank) override;
  bool join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks, Membership& fresh) override;
  Foundation found(const std::vector<int>& members, int rank) override;
  Membership join(std::span<const Foundation> told, std::vector<int> members, int rank) override;
  std::byte* allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void free(std::byte* memory) noexcept override { memory_.free(memory); }
  Engine engine() const override { return Engine::mpi; }
  HostShare host() const override { return link_.host(); }
  HostShare most_crowded_host() const override { return link_.most_crowded_host(); }
  const Layout& layout() const override { return link_.layout(); }
  bool is_carrying() const override { return link_.is_carrying(); }
  std::optional<NodeLink> node_link() const override { return link_.node_link(); }

  Link& link() { return link_; }
  Mailbox& mailbox(std::uint64_t communicator);
  /// This rank does not use the communicator any more.
  void leave(std::uint64_t communicator);
  /// Hears what others have sent.
  void progress() { link_.progress(); }
  void close() override;

 private:
  void receive(int from, PacketPointer packet);
  void send_to_others(Kind kind, std::uint64_t word, std::string_view text);
  void hear_waiting(int from, const Packet& packet);
  void hear_quiet(int from, const Packet& packet);
  void note_loss(int rank, const std::string& reason);
  bool all_others_are_gone() const;

  Origin origin_;
  Link link_;
  std::vector<RankRecord> records_;
  ThreadsMemory memory_;
  OpenBoxes<Mailbox> mailboxes_;
  std::atomic<std::uint32_t> losses_ = 0;
  std::vector<bool> is_lost_;  // by rank: it is counted in losses_
  int ended_ = 0;              // other ranks that have

  // Standings. Packets of one rank come in the order in which they were sent: who has heard a rank's standing has heard
  // all that this rank did before. Each standing has the next number as its stamp.
  /// What a rank has looked since: by rank, the stamp of the standing that it knew of; nothing without a standing.
  using Stamps = std::vector<std::uint64_t>;
  std::uint64_t stamps_ = 0;             // of this rank, so far
  std::uint64_t heard_ = 0;              // standings of others, so far
  std::uint64_t quiet_since_ = 0;        // this rank's latest look that found nothing came after so many
  std::vector<std::uint64_t> heard_at_;  // by rank: how many had been heard with this one's
  std::vector<Stamps> quiet_;            // by rank, the latest that it has told
  std::uint64_t founded_ = 0;            // communicators, by this rank, that are no collective's
};

}  // namespace tutti::runtime
