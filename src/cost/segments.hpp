/// @file
/// Numbers of segments among which the best is looked for.
#pragma once

#include <cstdint>
#include <vector>

namespace tutti {

/// Powers of two and the numbers halfway between, up to about 2^20, none above `bytes`: the best number's time is within a
/// few percent of that of one of them, since around the best the time is flat.
inline std::vector<int> segments_to_try(std::int64_t bytes) {
  constexpr int most_segments = 1 << 20;
  std::vector<int> found;
  for (int power = 1; power <= most_segments && power <= bytes; power *= 2) {
    found.push_back(power);
    if (power > 1 && power + power / 2 <= bytes) found.push_back(power + power / 2);
  }
  return found;
}

}  // namespace tutti
