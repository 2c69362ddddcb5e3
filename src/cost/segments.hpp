/// @file
/// Numbers of segments among which the best is looked for.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/model/choice.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// Powers of two and the numbers halfway between, up to about 2^20, none above `bytes`: the best number's time is
/// within a few percent of that of one of them, since around the best the time is flat.
inline std::vector<int> segments_to_try(std::int64_t bytes) {
  constexpr int most_segments = 1 << 20;
  std::vector<int> found;
  for (int power = 1; power <= most_segments && power <= bytes; power *= 2) {
    found.push_back(power);
    if (power > 1 && power + power / 2 <= bytes) found.push_back(power + power / 2);
  }
  return found;
}

/// Returns the number of segments that take the least time if no closed form tells it: each one more makes `more`
/// rounds more than the `first` that one segment takes, and the v bytes that pass a rank share all of them out, so that
/// (first - more + more S)(ts + tw v/(more S)) is least at S = sqrt((first - more) tw v / ts) / more. 0 if the
/// algorithm cuts nothing, and has all it needs; at most 2^10. Source: J. L. Träff, Optimal Broadcast Schedules in
/// Logarithmic Time with Applications to Broadcast, All-Broadcast, Reduction and All-Reduction, 2024, §1: the best
/// number of blocks.
int segments_by_rounds(const Algorithm& algorithm, const Problem& problem, const Machine& machine);

}  // namespace tutti
