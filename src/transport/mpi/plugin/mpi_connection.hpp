/// @file
/// One rank's end of a communicator of ranks that MPI connects.
#pragma once

#include <vector>

#include "transport/connection.hpp"
#include "transport/fold_here.hpp"
#include "transport/mpi/plugin/mpi_agreement.hpp"
#include "transport/mpi/plugin/mpi_channel.hpp"
#include "transport/mpi/plugin/mpi_failure.hpp"
#include "transport/mpi/plugin/mpi_peers.hpp"
#include "transport/origin.hpp"

namespace tutti::runtime {

/// Folds of operands that have all come here.
class MpiFolding final : public Folding {
 public:
  bool carry_out(const Fold& fold, const Combination& how, int call_slot) override;
  void help(int, int, const Combination&) override {}

 private:
  FoldRoom room_;
};

/// What does the four jobs over packets.
class MpiParts {
 protected:
  MpiParts(MpiWorld& world, std::uint64_t identity, int rank, std::vector<int> members)
      : peers_(world, identity, rank, std::move(members)), agreement_(peers_), channel_(peers_), failure_(peers_) {}

  MpiPeers peers_;
  MpiAgreement agreement_;
  MpiChannel channel_;
  MpiFolding folding_;
  MpiFailure failure_;
};

class MpiConnection final : private MpiParts, public Connection {
 public:
  /// `members` are the communicator's ranks in the whole run.
  MpiConnection(MpiWorld& world, std::uint64_t identity, int rank, std::vector<int> members)
      : MpiParts(world, identity, rank, std::move(members)),
        Connection(agreement_, channel_, folding_, failure_),
        world_(world),
        identity_(identity) {}
  ~MpiConnection() override;

 private:
  Origin origin_;
  MpiWorld& world_;
  std::uint64_t identity_;
};

}  // namespace tutti::runtime
