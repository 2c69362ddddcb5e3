/// @file
/// One rank's end of a communicator of ranks that MPI connects.
#pragma once

#include <string>
#include <vector>

#include "agreement/agreement.hpp"
#include "agreement/call_tree.hpp"
#include "transport/fold_here.hpp"
#include "transport/interfaces/connection.hpp"
#include "transport/interfaces/failure.hpp"
#include "transport/mpi/plugin/mpi_channel.hpp"
#include "transport/mpi/plugin/mpi_peers.hpp"
#include "transport/origin.hpp"

namespace tutti::runtime {

/// Failure of a communicator over MPI. A rank that calls fail() first tells all others. Where two ranks do so at the
/// same time, each keeps its own sentence, and the others the one that they get first. A rank that is told tells all
/// others as well, before it goes on: so who hears anything that it does afterwards knows of the failure, also where
/// the first rank has not come to tell it yet. After a failure no transfer is begun with memory of the user's;
/// withdraw() ends those under way, for which the peer has to come to its next call of tutti.
class MpiFailure final : public Failure {
 public:
  explicit MpiFailure(MpiPeers& peers) : peers_(peers) {}

  bool failed() const override {
    if (!peers_.box().failure) return false;
    if (!peers_.box().has_told_failure) tell_others();
    return true;
  }
  void fail(ErrorCode code, const std::string& message) override;
  Error error() const override { return *peers_.box().failure; }
  void withdraw() noexcept override;

 private:
  void tell_others() const;
  void wait_for_end(const Transfer& transfer, int peer);

  MpiPeers& peers_;
};

/// The agreement by a CallTree, whose packets are heard whenever it is asked for what it does not know.
class MpiAgreement final : public Agreement {
 public:
  explicit MpiAgreement(MpiPeers& peers) : peers_(peers), calls_(peers.box().calls) {}

  bool may_enter(std::uint64_t number) override;
  void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) override {
    calls_.sign(number, signature, counts);
  }
  bool has_signed(int rank, std::uint64_t number) override;
  bool hears_at_once() const override { return false; }
  const Signature& signature(int rank, std::uint64_t number) override { return calls_.signature(rank, number); }
  std::vector<std::int64_t> counts(int rank, std::uint64_t number) override { return calls_.counts(rank, number); }
  void complete(std::uint64_t number) override { calls_.complete(number); }
  bool has_completed(int rank, std::uint64_t number) override { return calls_.has_completed(rank, number); }
  /// Nothing: this rank publishes its calls when it has waited for a while, because most waits end before.
  void flush() override {}
  void tell_all() override {
    calls_.publish();
    calls_.tell_everyone();
  }
  bool settled() override;
  std::optional<std::uint64_t> disputed() const override { return calls_.disputed(); }

 private:
  MpiPeers& peers_;
  CallTree& calls_;
  std::uint64_t free_below_ = collective_slots;  // all collectives below may be entered
};

/// Folds of operands that have all come here.
class MpiFolding final : public Folding {
 public:
  bool carry_out(const Fold& fold, const Combination& how, int call_slot) override;
  void help(int, int, const Combination&) override {}

 private:
  FoldRoom room_;
};

/// Parts that do the four jobs over packets.
class MpiParts {
 protected:
  MpiParts(MpiLink& link, Mailboxes& mailboxes, std::uint64_t identity, int rank, std::vector<int> members)
      : peers_(link, mailboxes, identity, rank, std::move(members)),
        agreement_(peers_),
        channel_(peers_),
        failure_(peers_) {}

  MpiPeers peers_;
  MpiAgreement agreement_;
  MpiChannel channel_;
  MpiFolding folding_;
  MpiFailure failure_;
};

class MpiConnection final : private MpiParts, public Connection {
 public:
  /// `members` are the communicator's ranks in the whole run.
  MpiConnection(MpiLink& link, Mailboxes& mailboxes, std::uint64_t identity, int rank, std::vector<int> members)
      : MpiParts(link, mailboxes, identity, rank, std::move(members)),
        Connection(agreement_, channel_, folding_, failure_),
        mailboxes_(mailboxes),
        identity_(identity) {}
  ~MpiConnection() override;

 private:
  Origin origin_;
  Mailboxes& mailboxes_;
  std::uint64_t identity_;
};

}  // namespace tutti::runtime
