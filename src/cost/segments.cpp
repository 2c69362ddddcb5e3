#include "cost/segments.hpp"

#include <algorithm>
#include <cmath>

#include "cost/forms/forms.hpp"

namespace tutti {

int segments_by_rounds(const Algorithm& algorithm, const Problem& problem, const Machine& machine) {
  constexpr double most = 1 << 10;
  const Problem claimed = claimable(problem);
  const Claims one = algorithm.claims(claimed, {.segments = 1});
  const Claims two = algorithm.claims(claimed, {.segments = 2});
  const auto more = static_cast<double>(two.rounds - one.rounds);
  if (more <= 0) return 0;
  const double parts =
      static_cast<double>(problem.count) / static_cast<double>(std::max<std::int64_t>(1, claimed.count));
  const double bytes = static_cast<double>(one.elements) / problem.ranks * std::max(1.0, parts);
  const double fixed = std::max(0.0, static_cast<double>(one.rounds) - more) * machine.tw * bytes;
  const double best = machine.ts > 0 ? std::sqrt(fixed / machine.ts) / more : fixed > 0 ? most : 1;
  return static_cast<int>(std::clamp(std::round(best), 1.0, most));
}

}  // namespace tutti
