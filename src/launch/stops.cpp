#include "launch/stops.hpp"

#include <algorithm>

namespace tutti::launch {

std::vector<int> Stops::look(const std::set<int>& stopped, Clock::time_point now) {
  std::erase_if(stops_, [&](const auto& stop) { return !stopped.contains(stop.first); });
  std::vector<int> overdue;
  for (const int rank : stopped) {
    Stop& stop = stops_.try_emplace(rank, Stop{WaitingTime(now)}).first->second;
    if (stop.time.look(now) < limit_ || stop.is_told) continue;
    stop.is_told = true;
    overdue.push_back(rank);
  }
  return overdue;
}

std::chrono::nanoseconds Stops::interval() const {
  constexpr std::chrono::duration<double> shortest(0.02);
  constexpr std::chrono::duration<double> longest(5);
  return std::chrono::ceil<std::chrono::nanoseconds>(std::clamp(limit_ / 8, shortest, longest));
}

}  // namespace tutti::launch
