/// @file
/// One rank's end of a communicator of ranks on one machine.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "transport/connection.hpp"
#include "transport/origin.hpp"
#include "transport/shared/board_agreement.hpp"
#include "transport/shared/cooperative_fold.hpp"
#include "transport/shared/shared_channel.hpp"
#include "transport/shared/shared_failure.hpp"
#include "transport/shared/shared_folding.hpp"

namespace tutti::runtime {

/// What does the four jobs over a ControlSegment.
class SharedParts {
 protected:
  SharedParts(const ControlSegment& control, int rank, std::vector<int> members, std::span<RankRecord> records,
              PeerMemory& memory)
      : control_(control),
        members_(std::move(members)),
        holdings_(memory),
        alarm_(control_, records, members_),
        agreement_(control_, rank, memory, alarm_),
        channel_(control_, rank, members_, memory, holdings_, alarm_),
        failure_(control_, rank, members_, memory, alarm_, cooperative_fold_),
        cooperative_fold_(control_, rank, members_, memory, alarm_, failure_.timeout),
        folding_(control_, rank, members_, memory, cooperative_fold_, failure_) {}

  ControlSegment control_;
  std::vector<int> members_;
  Holdings holdings_;
  Alarm alarm_;
  BoardAgreement agreement_;
  SharedChannel channel_;
  SharedFailure failure_;
  CooperativeFold cooperative_fold_;
  SharedFolding folding_;
};

class SharedConnection final : private SharedParts, public Connection {
 public:
  /// `members` are the communicator's ranks in the whole run; `records` are those of all ranks of the run; `owner` says
  /// whose the control segment is.
  SharedConnection(const ControlSegment& control, int rank, std::vector<int> members, std::span<RankRecord> records,
                   PeerMemory& memory, Leftovers& leftovers, Leftovers::Owner owner)
      : SharedParts(control, rank, std::move(members), records, memory),
        Connection(agreement_, channel_, folding_, failure_),
        leftovers_(leftovers),
        owner_(owner) {}

  ~SharedConnection() override {
    if (!origin_.is_this_process()) return;  // a child's copy: the rank still uses the segment
    channel_.free_lists();
    // Where ranks have failed others may be reading these, to say why.
    if (!failure_.failed()) agreement_.free_counts();
    leftovers_.leave(control_, holdings_.let_go(), owner_);
  }

 private:
  Origin origin_;
  Leftovers& leftovers_;
  Leftovers::Owner owner_;
};

}  // namespace tutti::runtime
