/// @file
/// One rank's end of a communicator of ranks on one machine.
#pragma once

#include <utility>

#include "transport/connection.hpp"
#include "transport/origin.hpp"
#include "transport/shared/shared_folding.hpp"
#include "transport/shared/shared_parts.hpp"

namespace tutti::runtime {

/// What does the four jobs over a ControlSegment.
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
