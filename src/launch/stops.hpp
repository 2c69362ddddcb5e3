/// @file
/// Which ranks have been stopped for long.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <vector>

#include "base/waiting_time.hpp"

namespace tutti::launch {

/// A rank that is stopped (SIGSTOP, or output to a terminal that stops who is in the background) ends when somebody
/// continues or kills it, and nobody can tell when. So who waits for its end says, once, that it waits. The time in
/// which the launcher was stopped as well, as by Ctrl-Z, does not count.
class Stops {
 public:
  using Clock = WaitingTime::Clock;

  explicit Stops(std::chrono::duration<double> limit) : limit_(limit) {}

  /// The ranks of `stopped`, which are those that are stopped now, that have been so for the limit; each rank once a
  /// stop. To be called every interval() or more often.
  std::vector<int> look(const std::set<int>& stopped, Clock::time_point now = Clock::now());
  /// Between two looks: short beside the limit.
  std::chrono::nanoseconds interval() const;
  std::chrono::duration<double> limit() const { return limit_; }

 private:
  struct Stop {
    WaitingTime time;
    bool is_told = false;
  };

  std::chrono::duration<double> limit_;
  std::map<int, Stop> stops_;  // by rank
};

}  // namespace tutti::launch
