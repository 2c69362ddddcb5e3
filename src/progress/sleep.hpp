/// @file
/// A rank that sleeps while it waits.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "progress/operation.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// From its making on, whatever others post for these operations wakes the rank: who has made it looks once more for
/// what was posted before, and then sleeps, or does not. Its end is the end of that.
class Sleep {
 public:
  /// The operations, which are under way, are kept alive.
  Sleep(World& world, int rank, std::vector<std::shared_ptr<Operation>> operations);
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep();

  /// Whether others wake the rank. If not, it looks again after a while.
  bool is_prepared() const { return is_prepared_; }
  /// Says whether the rank was woken, and not by the clock.
  bool until_woken(std::chrono::nanoseconds most) { return world_.sleep(rank_, most); }

 private:
  struct Bed {
    Channel* channel;
    WokenBy woken_by;
  };

  World& world_;
  int rank_;
  std::vector<std::shared_ptr<Operation>> operations_;
  std::vector<Bed> beds_;
  bool is_prepared_ = false;
};

}  // namespace tutti::runtime
