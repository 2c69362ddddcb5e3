/// @file
/// Number of elements that an all-to-all sends, from how often it sends each block.
#pragma once

#include <cstdint>

#include "schedule/model/schedule.hpp"

namespace tutti::algorithms {

/// The sum over all pairs of `hops(origin, destination)` times the pair's elements. `hops` must treat all ranks alike:
/// its sum over the destinations is the same for every origin. O(p) where counts are even, O(p²) otherwise.
template <typename Hops>
std::int64_t elements_carried(const Problem& problem, const Hops& hops) {
  std::int64_t elements = 0;
  if (problem.counts.empty()) {
    for (int destination = 0; destination < problem.ranks; ++destination) elements += hops(0, destination);
    return elements * problem.count * problem.ranks;
  }
  for (int origin = 0; origin < problem.ranks; ++origin) {
    for (int destination = 0; destination < problem.ranks; ++destination) {
      elements += hops(origin, destination) * problem.pair_count(origin, destination);
    }
  }
  return elements;
}

/// The traffic of the algorithms that send every block straight to its destination.
inline Traffic direct_traffic(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  const auto once = [](int origin, int destination) { return origin == destination ? 0 : 1; };
  return {.rounds = p - 1, .messages = p * (p - 1), .elements = elements_carried(problem, once)};
}

}  // namespace tutti::algorithms
