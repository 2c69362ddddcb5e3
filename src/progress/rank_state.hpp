/// @file
/// State of one rank, shared by its communicators and operations: scratch, and all that it has under way.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "progress/clock.hpp"
#include "trace/recorder.hpp"
#include "transport/interfaces/world.hpp"
#include "transport/late_after.hpp"

namespace tutti::runtime {

/// Uninitialized memory that peers reach in place, aligned to 64 bytes. To be given back to its pool.
struct Scratch {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
};

/// One rank's free memory. Thread-safe.
class ScratchPool {
 public:
  explicit ScratchPool(SharedAllocator& allocator) : allocator_(allocator) {}
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;
  ~ScratchPool();

  /// At least `bytes` bytes: the smallest piece that is large enough, or a new one.
  Scratch take(std::size_t bytes);
  void give(Scratch scratch);

 private:
  SharedAllocator& allocator_;
  std::mutex mutex_;
  std::vector<Scratch> free_;  // smallest first
};

class CommunicatorState;
class Operation;

/// Register of all that a rank has under way.
class UnderWay {
 public:
  /// Returns the wait of this rank's collective `number` of that communicator, in words; empty if it is not under way.
  virtual std::string waits_in(const CommunicatorState& communicator, std::uint64_t number) const = 0;
  /// The operation, which waits in a lane, has got what it waits for, or waits no more.
  virtual void let_go_on(Operation& operation) = 0;

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
  RankState(std::shared_ptr<World> of, int rank, UnderWay& all, Clock& time)
      : world(std::move(of)),
        number(rank),
        under_way(all),
        clock(time),
        late_after(runtime::late_after()),
        recorder(Recorder::from_environment(rank, is_first_of_node(world->layout(), rank))),
        scratch(*world) {}

  std::shared_ptr<World> world;
  int number;
  UnderWay& under_way;
  Clock& clock;
  std::chrono::duration<double> late_after;  ///< when a wait says that it lasts
  std::unique_ptr<Recorder> recorder;
  ScratchPool scratch;
};

}  // namespace tutti::runtime
