#include "cost/segments.hpp"

#include <algorithm>
#include <cmath>

namespace tutti {

int segments_by_rounds(const Algorithm& algorithm, const Problem& problem, const Machine& machine) {
  constexpr double most = 1 << 10;
  const Claims one = algorithm.claims(problem, {.segments = 1});
  const Claims two = algorithm.claims(problem, {.segments = 2});
  const auto more = static_cast<double>(two.rounds - one.rounds);
  if (more <= 0) return 0;
  const double bytes = static_cast<double>(one.elements) / problem.ranks;
  const double fixed = std::max(0.0, static_cast<double>(one.rounds) - more) * machine.tw * bytes;
  const double best = machine.ts > 0 ? std::sqrt(fixed / machine.ts) / more : fixed > 0 ? most : 1;
  return static_cast<int>(std::clamp(std::round(best), 1.0, most));
}

}  // namespace tutti
