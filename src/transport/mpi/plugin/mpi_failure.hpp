/// @file
/// The end of a communicator of ranks that MPI connects.
#pragma once

#include <string>

#include "transport/failure.hpp"
#include "transport/mpi/plugin/mpi_peers.hpp"

namespace tutti::runtime {

/// Who calls fail() first tells all others. Where two ranks do so at the same time, each keeps its own sentence, and
/// the others the one that they get first. A rank that is told tells all others as well, before it goes on: so who
/// hears anything that it does afterwards knows of the failure, also where the first rank has not come to tell it yet.
/// After a failure no transfer is begun with memory of the user's; withdraw() ends those under way, for which the peer
/// has to come to its next call of tutti.
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

}  // namespace tutti::runtime
