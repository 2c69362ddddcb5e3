/// @file
/// One rank's end of a communicator of ranks on several hosts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "transport/interfaces/connection.hpp"
#include "transport/origin.hpp"
#include "transport/shared/shared_connection.hpp"
#include "transport/shared/shared_folding.hpp"

namespace tutti::runtime {

/// Numbers in the control segment of the ranks that share memory with this one, by rank in the communicator; -1 if the
/// rank is on another host.
using HereNumbers = std::vector<int>;

/// Channel of ranks on several hosts. Each pair of ranks always has the same way: shared memory where both are on one
/// host, and MPI's channel elsewhere. It offers no short slots: a call that waits for a rank of this host has to hear
/// MPI meanwhile.
///
/// With agreement on a board, the first message of a call needs no look at the slot's `taken`, because the board
/// releases what its ranks have read. Agreement by packets does not, so that here every message looks: the sender finds
/// that the receiver has taken whatever it posted last (acquire), and needs nothing of the agreement.
class HostsChannel final : public Channel, public StreamedMessages, public OpenPlaces, public ReceiverCopies {
 public:
  HostsChannel(SharedChannel& shared, Channel& mpi, const HereNumbers& here)
      : shared_(shared), mpi_(mpi), here_(here) {}

  PostResult post(const Route& route, const Outgoing& message) override;
  bool delivered(const Route& route) override;
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override;
  std::span<const std::byte> part(const Route& route) override;
  void take(const Route& route, std::int64_t bytes) override { shared_.take(within(route), bytes); }
  void release(const Route& route) override;
  void open_place(const Route& route, const OpenPlace& place) override {
    if (is_here(route)) shared_.open_place(within(route), place);
  }
  std::optional<OpenPlace> place_of(const Route& route) override {
    return is_here(route) ? shared_.place_of(within(route)) : std::nullopt;
  }
  bool lends_copy(const Route& route) override { return is_here(route) && shared_.lends_copy(within(route)); }
  std::optional<std::int64_t> claim_copy(const Route& route, std::int64_t bytes) override {
    return is_here(route) ? shared_.claim_copy(within(route), bytes) : std::nullopt;
  }
  std::optional<LentCopy> take_copy(const Route& route) override {
    return is_here(route) ? shared_.take_copy(within(route)) : std::nullopt;
  }
  void hear() override { mpi_.hear(); }
  std::uint64_t parts() const override { return shared_.parts(); }
  ChannelCapabilities capabilities() override {
    return {.streams = this, .open_places = this, .receiver_copies = this};
  }

 private:
  bool is_here(const Route& route) const { return here_[static_cast<std::size_t>(route.peer)] >= 0; }
  Route within(const Route& route) const;
  bool heard(bool has_moved);

  SharedChannel& shared_;
  Channel& mpi_;
  const HereNumbers& here_;
  std::uint32_t fruitless_ = 0;  // looks at shared memory that found nothing
};

/// Fails on this host and by packets, so that those who are near learn of it first. Memory that ranks of this host read
/// is taken back as SharedFailure does, which the segment has to be closed for; transfers of MPI end as MpiFailure
/// says.
class HostsFailure final : public Failure {
 public:
  HostsFailure(SharedFailure& shared, Failure& mpi) : shared_(shared), mpi_(mpi) {}

  bool failed() const override { return shared_.failed() || mpi_.failed(); }
  void fail(ErrorCode code, const std::string& message) override;
  Error error() const override { return mpi_.failed() ? mpi_.error() : shared_.error(); }
  void withdraw() noexcept override;
  bool begin_reading() override { return shared_.begin_reading(); }
  void end_reading() noexcept override { shared_.end_reading(); }

 private:
  SharedFailure& shared_;
  Failure& mpi_;
};

/// Folds whose operands lie in memory of this host, where its ranks help, or have come here.
class HostsFolding final : public Folding {
 public:
  /// `shared_failure` keeps the time that helpers are waited for, which is that of `failure`.
  HostsFolding(SharedFolding& shared, SharedFailure& shared_failure, const Failure& failure, const HereNumbers& here)
      : shared_(shared), shared_failure_(shared_failure), failure_(failure), here_(here) {}

  bool carry_out(const Fold& fold, const Combination& how, int call_slot) override;
  void help(int peer, int call_slot, const Combination& how) override;

 private:
  SharedFolding& shared_;
  SharedFailure& shared_failure_;
  const Failure& failure_;
  const HereNumbers& here_;
};

/// Parts that do the jobs over MPI, and over the control segment of this host's ranks.
class HostsParts : protected SharedParts {
 protected:
  HostsParts(std::unique_ptr<Connection> mpi, SharedPlace place, RankNames names, const SharedGround& ground,
             HereNumbers here)
      : HostsParts(place.rank, std::move(mpi), std::move(place), std::move(names), ground, std::move(here)) {}

  std::unique_ptr<Connection> mpi_;
  HereNumbers here_;
  HostsChannel channel_;
  HostsFailure failure_;
  SharedFolding shared_folding_;
  HostsFolding folding_;

 private:
  HostsParts(int rank, std::unique_ptr<Connection> mpi, SharedPlace&& place, RankNames&& names,
             const SharedGround& ground, HereNumbers&& here)
      : SharedParts(std::move(place), std::move(names), ground),
        mpi_(std::move(mpi)),
        here_(std::move(here)),
        channel_(shared_channel_, mpi_->channel(), here_),
        failure_(shared_failure_, mpi_->failure()),
        shared_folding_(control_, rank, members_, names_, ground.memory, cooperative_fold_, failure_),
        folding_(shared_folding_, shared_failure_, failure_, here_) {}
};

/// Ranks agree, and learn of failures, as MPI's do; messages and folds within a host are those of shared memory.
class HostsConnection final : private HostsParts, public Connection {
 public:
  /// `mpi` connects all ranks of the communicator; `place` is this rank's in the control segment of those on its host,
  /// of whom `names` and `here` tell the numbers.
  HostsConnection(std::unique_ptr<Connection> mpi, SharedPlace place, RankNames names, const SharedGround& ground,
                  HereNumbers here)
      : HostsParts(std::move(mpi), std::move(place), std::move(names), ground, std::move(here)),
        Connection(mpi_->agreement(), channel_, folding_, failure_) {}

  ~HostsConnection() override {
    if (!origin_.is_this_process()) return;  // a child's copy: the rank still uses the segment
    leave();
    mpi_->failure().timeout = failure_.timeout;  // the rank leaves it within that time
  }

  /// Board on which ranks of this host tell one another the places of new communicators, by their numbers in the
  /// segment. A word is overwritten when its collective's signatures are, for the same reasons: see kept_calls.
  BoardAgreement& board() { return board_; }
  int number_here(int rank) const { return here_[static_cast<std::size_t>(rank)]; }

 private:
  Origin origin_;
};

}  // namespace tutti::runtime
