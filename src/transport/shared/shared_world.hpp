/// @file
/// A run on one machine: ranks as threads, or as processes that share a segment.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "transport/interfaces/world.hpp"
#include "transport/shared/control_segment.hpp"
#include "transport/shared/peer_memory.hpp"

namespace tutti::runtime {

class BoardAgreement;
struct SharedGround;
struct SharedPlace;

class SharedWorld : public World {
 public:
  /// Whether ranks that wait for long are woken, or look again and again.
  enum class Waking : std::uint8_t { by_others, by_clock };

  /// `whole` is the control segment of all ranks; it and the records outlive the world. All ranks together may use
  /// `cores` cores, and are where `layout` says. `waking` says whether all of them take part in barriers.
  SharedWorld(std::span<RankRecord> records, const ControlSegment& whole, std::unique_ptr<PeerMemory> memory,
              Transport transport, int cores, Layout layout, Waking waking);

  int size() const override { return static_cast<int>(records_.size()); }
  RankRecord& record(int rank) override { return records_[static_cast<std::size_t>(rank)]; }
  std::uint32_t losses() const override { return whole_.header().losses.load(std::memory_order_acquire); }
  // Acquire, both: what is counted comes before.
  std::uint64_t news() const override {
    const ControlHeader& header = whole_.header();
    return std::uint64_t{header.departures.load(std::memory_order_acquire)} << 32 |
           header.losses.load(std::memory_order_acquire);
  }
  void tidy() override { leftovers_.sweep(); }
  void note_work(int rank) override {
    record(rank).note_work();
    records_[0].note_any_work();
  }
  bool may_have_work() const override { return records_[0].has_any_work(); }
  std::optional<int> first_lost() const override;
  bool is_stopped(int rank) const override { return memory_->is_stopped(rank); }
  void watch() override { memory_->watch(); }
  void fail(int rank, const std::string& reason) override;
  void end(int rank) override { end_rank(records_, rank); }
  // Acquire: pairs with end_rank(), which counts after the end.
  bool may_have_ends() const override { return records_[0].ends().load(std::memory_order_acquire) != 0; }
  void announce(int rank, std::string_view text, const WaitState& wait_state) override;
  void withdraw(int rank) override;
  // Acquire: the wait states with stamps up to this one come before.
  std::uint64_t moment() override { return records_[0].clock().load(std::memory_order_acquire); }
  void note_quiet(int rank, std::uint64_t moment) override { record(rank).set_quiet_since(moment); }
  void tell_quiet(int) override {}
  bool were_quiet(std::span<const Stand> stands) const override;
  bool prepare_sleep(int rank, WokenBy what) override;
  bool sleep(int rank, std::chrono::nanoseconds most) override;
  void finish_sleep(int rank) override { record(rank).sleep_word().finish_sleep(); }
  Membership whole(int rank) override;
  bool join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks, Membership& fresh) override;
  Foundation found(const std::vector<int>& members, int rank) override {
    return {.place = rank == 0 ? found_by_this_rank(static_cast<int>(members.size())) : 0};
  }
  Membership join(std::span<const Foundation> told, std::vector<int> members, int rank) override {
    return join_founded(told.front().place, std::move(members), rank);
  }
  /// Makes the control segment of a communicator of that many ranks, which the one that calls founds as its first.
  /// Returns what the others join it by, once they have been told by other means than this world's. Throws
  /// `Error(unsupported)` where there is no memory for it.
  std::uint64_t found_by_this_rank(int ranks);
  /// The communicator of `members`, ranks of the run, that the first of them has founded, as its rank `rank`. Throws
  /// `Error(unsupported)` where this process has no room for it.
  Membership join_founded(std::uint64_t founded, std::vector<int> members, int rank);
  std::byte* allocate(std::size_t bytes) override { return memory_->allocate(bytes); }
  void free(std::byte* memory) noexcept override { memory_->free(memory); }
  Transport transport() const override { return transport_; }
  HostShare host() const override { return {cores_, size()}; }
  const Layout& layout() const override { return layout_; }
  HostShare most_crowded_host() const override { return host(); }

 protected:
  /// Returns the ground of this world's connections.
  SharedGround ground();
  /// Founds and joins, as found_by_this_rank() and being told of it: rank `rank` of `ranks` of a new communicator comes
  /// to what its first rank makes and tells the others on the board that they have in common, where it is `founder`,
  /// within collective `number`; nothing while it has not. One rank alone needs no board.
  std::optional<std::uint64_t> meet(BoardAgreement* board, std::uint64_t number, int founder, int rank, int ranks);
  /// The place as rank `rank` of these members of the world in what the first of them has founded.
  SharedPlace place_in(std::uint64_t founded, std::vector<int> members, int rank);

 private:
  std::span<RankRecord> records_;
  ControlSegment whole_;
  std::unique_ptr<PeerMemory> memory_;
  Transport transport_;
  int cores_;
  Layout layout_;
  Waking waking_;
  Leftovers leftovers_;
};

}  // namespace tutti::runtime
