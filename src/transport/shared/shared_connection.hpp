/// @file
/// One rank's end of a communicator of ranks on one machine.
#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "transport/interfaces/connection.hpp"
#include "transport/origin.hpp"
#include "transport/shared/board_agreement.hpp"
#include "transport/shared/cooperative_fold.hpp"
#include "transport/shared/rank_names.hpp"
#include "transport/shared/shared_channel.hpp"
#include "transport/shared/shared_failure.hpp"
#include "transport/shared/shared_folding.hpp"

namespace tutti::runtime {

/// Ground of the connections of a world of shared memory.
struct SharedGround {
  std::span<RankRecord> records;  ///< records of all ranks of the world
  PeerMemory& memory;
  Leftovers& leftovers;
  bool is_outnumbered;  ///< whether this host has more ranks than cores
};

/// One rank's part in a control segment, and whose that is.
struct SharedPlace {
  ControlSegment control;
  int rank = 0;              ///< in the segment
  std::vector<int> members;  ///< by rank in the segment: the number in the world
  Leftovers::Owner owner = Leftovers::Owner::other;

  /// Returns the names of the ranks if the segment has all of the communicator's, and the world all of the run's.
  RankNames names() const {
    std::vector<int> all(members.size());
    std::iota(all.begin(), all.end(), 0);
    return {std::move(all), members};
  }
};

/// Parts of a rank over a ControlSegment, whoever else is in the communicator.
class SharedParts {
 protected:
  SharedParts(SharedPlace place, RankNames names, const SharedGround& ground)
      : control_(place.control),
        members_(std::move(place.members)),
        names_(std::move(names)),
        leftovers_(ground.leftovers),
        owner_(place.owner),
        held_memory_(ground.memory),
        alarm_(control_, ground.records, members_),
        board_(control_, place.rank, ground.memory, alarm_),
        shared_channel_(control_, place.rank, members_, ground.memory, held_memory_, alarm_, ground.is_outnumbered),
        shared_failure_(control_, place.rank, members_, names_, ground.memory, alarm_, cooperative_fold_),
        cooperative_fold_(control_, place.rank, members_, names_, ground.memory, alarm_, shared_failure_) {}

  /// The rank leaves the communicator.
  void leave() {
    std::vector<std::byte*> held = held_memory_.let_go();
    // Ranks that wait long in their last call read these, to see whether all have called alike.
    for (std::byte* const counts : board_.let_go_counts()) held.push_back(counts);
    leftovers_.leave(control_, std::move(held), owner_);
  }

  ControlSegment control_;
  std::vector<int> members_;
  RankNames names_;
  Leftovers& leftovers_;
  Leftovers::Owner owner_;
  HeldMemory held_memory_;
  Alarm alarm_;
  BoardAgreement board_;
  SharedChannel shared_channel_;
  SharedFailure shared_failure_;
  CooperativeFold cooperative_fold_;
};

/// Jobs of a connection over a ControlSegment.
class SharedJobs : protected SharedParts {
 protected:
  SharedJobs(SharedPlace place, RankNames names, const SharedGround& ground)
      : SharedJobs(place.rank, std::move(place), std::move(names), ground) {}

  SharedFolding folding_;

 private:
  SharedJobs(int rank, SharedPlace&& place, RankNames&& names, const SharedGround& ground)
      : SharedParts(std::move(place), std::move(names), ground),
        folding_(control_, rank, members_, names_, ground.memory, cooperative_fold_, shared_failure_) {}
};

class SharedConnection final : private SharedJobs, public Connection {
 public:
  SharedConnection(SharedPlace place, RankNames names, const SharedGround& ground)
      : SharedJobs(std::move(place), std::move(names), ground),
        Connection(board_, shared_channel_, folding_, shared_failure_) {}

  ~SharedConnection() override {
    if (!origin_.is_this_process()) return;  // a child's copy: the rank still uses the segment
    leave();
  }

 private:
  Origin origin_;
};

}  // namespace tutti::runtime
