/// @file
/// The thread of one rank: all that it has under way.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "runtime/operation.hpp"
#include "runtime/scratch.hpp"
#include "runtime/world.hpp"

namespace tutti::runtime {

/// Advances the rank's operations, of all communicators, whenever the rank waits or tests. For the rank's thread only.
class Rank {
 public:
  Rank(std::shared_ptr<World> world, int number) : world_(std::move(world)), number_(number) {}

  World& world() const { return *world_; }
  int number() const { return number_; }
  ScratchPool& scratch() { return scratch_; }

  /// Starts the operation, which does at once what it can.
  void begin(const std::shared_ptr<Operation>& operation);
  /// Returns when the operation has ended; throws its error.
  void wait(Operation& operation);
  /// Says whether the operation has ended; throws its error.
  bool test(Operation& operation);
  /// Waits for all operations of `member`; throws the first error.
  void wait_all(const Member& member);

  /// The rank's function has returned: throws `Error(invalid_argument)` if something is still under way.
  void finish();
  /// Gives up what is under way, so that no peer reads the memory of it.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool progress();
  /// Ends communicators that cannot go on: because a rank has ended, or because `operation` stands still for too long.
  void inspect(Operation& operation, Clock::time_point since);

  std::shared_ptr<World> world_;
  int number_;
  ScratchPool scratch_;
  std::vector<std::shared_ptr<Operation>> active_;
};

}  // namespace tutti::runtime
