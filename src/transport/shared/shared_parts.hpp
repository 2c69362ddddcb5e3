/// @file
/// What ranks that share a control segment have there.
#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "transport/shared/board_agreement.hpp"
#include "transport/shared/cooperative_fold.hpp"
#include "transport/shared/rank_names.hpp"
#include "transport/shared/shared_channel.hpp"
#include "transport/shared/shared_failure.hpp"

namespace tutti::runtime {

/// What the connections of a world of shared memory rest on.
struct SharedGround {
  std::span<RankRecord> records;  ///< of all ranks of the world
  PeerMemory& memory;
  Leftovers& leftovers;
};

/// One rank's part in a control segment, and whose that is.
struct SharedPlace {
  ControlSegment control;
  int rank = 0;              ///< in the segment
  std::vector<int> members;  ///< by rank in the segment: the number in the world
  Leftovers::Owner owner = Leftovers::Owner::other;

  /// What the ranks are called where the segment has all of the communicator's, and the world all of the run's.
  RankNames names() const {
    std::vector<int> all(members.size());
    std::iota(all.begin(), all.end(), 0);
    return {std::move(all), members};
  }
};

/// What a rank does over a ControlSegment, whoever else is in the communicator.
class SharedParts {
 protected:
  SharedParts(SharedPlace place, RankNames names, const SharedGround& ground)
      : control_(place.control),
        members_(std::move(place.members)),
        names_(std::move(names)),
        leftovers_(ground.leftovers),
        owner_(place.owner),
        holdings_(ground.memory),
        alarm_(control_, ground.records, members_),
        board_(control_, place.rank, ground.memory, alarm_),
        shared_channel_(control_, place.rank, members_, ground.memory, holdings_, alarm_),
        shared_failure_(control_, place.rank, members_, names_, ground.memory, alarm_, cooperative_fold_),
        cooperative_fold_(control_, place.rank, members_, names_, ground.memory, alarm_, shared_failure_) {}

  /// The rank leaves the communicator.
  void leave() {
    std::vector<std::byte*> held = holdings_.let_go();
    // Who waits long in its last call reads these, to see whether all have called alike.
    for (std::byte* const counts : board_.let_go_counts()) held.push_back(counts);
    leftovers_.leave(control_, std::move(held), owner_);
  }

  ControlSegment control_;
  std::vector<int> members_;
  RankNames names_;
  Leftovers& leftovers_;
  Leftovers::Owner owner_;
  Holdings holdings_;
  Alarm alarm_;
  BoardAgreement board_;
  SharedChannel shared_channel_;
  SharedFailure shared_failure_;
  CooperativeFold cooperative_fold_;
};

}  // namespace tutti::runtime
