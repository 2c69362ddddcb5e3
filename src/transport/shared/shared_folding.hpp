/// @file
/// Folds over memory of ranks on one machine.
#pragma once

#include <vector>

#include "transport/interfaces/connection.hpp"
#include "transport/interfaces/failure.hpp"
#include "transport/shared/control_segment.hpp"
#include "transport/shared/cooperative_fold.hpp"
#include "transport/shared/peer_memory.hpp"
#include "transport/shared/rank_names.hpp"

namespace tutti::runtime {

/// Folds that ranks compute together (CooperativeFold), and what becomes of one that cannot be computed.
class SharedFolding final : public Folding {
 public:
  /// `members` are the ranks that have these numbers in the segment; `failure` is the communicator's.
  SharedFolding(const ControlSegment& control, int rank, const std::vector<int>& members, const RankNames& names,
                PeerMemory& memory, CooperativeFold& cooperative_fold, Failure& failure)
      : control_(control),
        rank_(rank),
        members_(members),
        names_(names),
        memory_(memory),
        cooperative_fold_(cooperative_fold),
        failure_(failure) {}

  bool carry_out(const Fold& fold, const Combination& how, int call_slot) override;
  void help(int peer, int call_slot, const Combination& how) override;

 private:
  [[noreturn]] void refuse(const Refusal& refusal, const Fold& fold) const;

  ControlSegment control_;
  int rank_;
  const std::vector<int>& members_;
  const RankNames& names_;
  PeerMemory& memory_;
  CooperativeFold& cooperative_fold_;
  Failure& failure_;
};

}  // namespace tutti::runtime
