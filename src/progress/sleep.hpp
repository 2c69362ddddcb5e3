/// @file
/// Sleep of a rank while it waits: other ranks wake it by what they post.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "progress/operation.hpp"
#include "transport/interfaces/channel.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

/// Sleep of a rank for which operations are under way. While the object lives, other ranks wake this one when they post
/// something for these operations. Its maker looks once more for what was posted before, so that nothing is missed, and
/// then calls until_woken(), or does not.
class Sleep {
 public:
  /// Keeps the operations, which are under way, alive.
  Sleep(RankSleep& sleeper, int rank, std::vector<std::shared_ptr<Operation>> operations);
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep();

  /// Whether others wake the rank. If not, it looks again after a while.
  bool is_prepared() const { return is_prepared_; }
  /// Sleeps for so long at most. Returns whether another rank woke this one, and not the clock.
  bool until_woken(std::chrono::nanoseconds most) { return sleeper_.sleep(rank_, most); }

 private:
  struct SleepingChannel {
    Channel* channel;
    WokenBy woken_by;
  };

  RankSleep& sleeper_;
  int rank_;
  std::vector<std::shared_ptr<Operation>> operations_;
  std::vector<SleepingChannel> channels_;
  bool is_prepared_ = false;
};

}  // namespace tutti::runtime
