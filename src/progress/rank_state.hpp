/// @file
/// What the communicators and the operations of one rank have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "progress/clock.hpp"
#include "progress/scratch.hpp"
#include "trace/recorder.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

class CommunicatorState;

/// Who knows all that a rank has under way.
class UnderWay {
 public:
  /// What this rank's collective `number` of that communicator waits for, in words; empty where it is not under way.
  virtual std::string waits_in(const CommunicatorState& communicator, std::uint64_t number) const = 0;

 protected:
  ~UnderWay() = default;
};

/// Whether it is the first of the ranks that share its node.
inline bool is_first_of_node(const Layout& layout, int rank) {
  const std::span<const int> here = layout.ranks_on(layout.node_of(rank));
  return rank == (here.empty() ? 0 : here.front());
}

/// One rank of a run. The recorder is null unless the run is traced.
struct RankState {
  RankState(std::shared_ptr<World> of, int rank, const UnderWay& all, Clock& time)
      : world(std::move(of)),
        number(rank),
        under_way(all),
        clock(time),
        recorder(Recorder::from_environment(rank, is_first_of_node(world->layout(), rank))),
        scratch(*world) {}

  std::shared_ptr<World> world;
  int number;
  const UnderWay& under_way;
  Clock& clock;
  std::unique_ptr<Recorder> recorder;
  ScratchPool scratch;
};

}  // namespace tutti::runtime
