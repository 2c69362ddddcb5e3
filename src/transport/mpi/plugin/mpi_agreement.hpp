/// @file
/// Ranks that MPI connects agree on their calls over a tree.
#pragma once

#include "agreement/agreement.hpp"
#include "agreement/call_tree.hpp"
#include "transport/mpi/plugin/mpi_peers.hpp"

namespace tutti::runtime {

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

}  // namespace tutti::runtime
