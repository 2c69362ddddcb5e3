/// @file
/// A run whose ranks MPI connects: one process a rank.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "transport/interfaces/world.hpp"
#include "transport/mpi/plugin/mailbox.hpp"
#include "transport/mpi/plugin/mpi_link.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {

/// World of ranks connected by MPI. A rank knows of the others what they have told it, which it hears whenever it waits
/// or tests.
///
/// Cycles of ranks that wait for one another are found among up to 1,032 ranks: one packet holds what a rank has seen
/// of all others. Among more, such a wait ends with its timeout, where there is one.
///
/// The end, which comes with tutti::finalize(), with the program's own MPI_Finalize(), or at exit. A rank that ends
/// tells all others, and answers them until all have ended: only then it ends MPI. Where a rank has failed, the others
/// have a moment to learn why and to end by themselves, and then the job is aborted.
///
/// Guarded by the rank (ProgressEngine::guard) but for losses(), the records, allocate() and free(), which are
/// thread-safe.
class MpiWorld final : public World {
 public:
  explicit MpiWorld(ThreadSupport threads);

  int size() const override { return link_.size(); }
  RankRecord& record(int rank) override { return records_[static_cast<std::size_t>(rank)]; }
  std::uint32_t losses() const override { return losses_.load(std::memory_order_acquire); }
  void watch() override { progress(); }
  void fail(int rank, const std::string& reason) override;
  void announce(int rank, std::string_view text, const WaitState& wait_state) override;
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
  Transport transport() const override { return Transport::mpi; }
  HostShare host() const override { return link_.host(); }
  HostShare most_crowded_host() const override { return link_.most_crowded_host(); }
  const Layout& layout() const override { return link_.layout(); }
  bool is_carrying() const override { return link_.is_carrying(); }
  std::optional<LinkTimes> node_link() const override { return link_.node_link(); }

  MpiLink& link() { return link_; }
  /// Hears what others have sent.
  void progress() { link_.progress(); }
  /// The wait for the others' ends says that it lasts after that time, instead of late_after().
  void say_late_after(std::chrono::duration<double> time) { late_after_ = time; }
  void know_activities_by(std::function<std::string(int)> where) override { where_ = std::move(where); }
  void close() override;

 private:
  void receive(int from, PacketPointer packet);
  void send_to_others(PacketKind kind, std::uint64_t word, std::string_view text);
  void hear_waiting(int from, const Packet& packet);
  void hear_quiet(int from, const Packet& packet);
  void note_loss(int rank, const std::string& reason);
  bool all_others_are_gone() const;
  void tell_unended(std::chrono::duration<double> waited) const;

  Origin origin_;
  MpiLink link_;
  std::vector<RankRecord> records_;
  std::chrono::duration<double> late_after_;  // when the wait for the others' ends says that it lasts
  ThreadsMemory memory_;
  Mailboxes mailboxes_;
  std::atomic<std::uint32_t> losses_ = 0;
  std::function<std::string(int)> where_;
  std::vector<bool> is_lost_;  // by rank: it is counted in losses_
  int ended_ = 0;              // other ranks that have

  // Wait states. Packets of one rank come in the order in which they were sent: who has heard a rank's wait state has
  // heard all that this rank did before. Each wait state has the next number as its stamp.
  /// Stamps of a rank's look: by rank, the stamp of the wait state that it knew of; nothing without a wait state.
  using Stamps = std::vector<std::uint64_t>;
  std::uint64_t stamps_ = 0;             // stamps of this rank, so far
  std::uint64_t heard_ = 0;              // wait states of others, so far
  std::uint64_t quiet_since_ = 0;        // this rank's latest look that found nothing came after so many
  std::vector<std::uint64_t> heard_at_;  // by rank: how many had been heard with this one's
  std::vector<Stamps> quiet_;            // by rank, the latest that it has told
  std::uint64_t founded_ = 0;            // communicators, by this rank, that are no collective's
};

}  // namespace tutti::runtime
