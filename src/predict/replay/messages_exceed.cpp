#include "predict/replay/messages_exceed.hpp"

#include <algorithm>

#include "predict/model/cost_model.hpp"

namespace tutti {
namespace {

/// Whether the limit is_cheaper() than what the sketch of a rank shows that the estimate looks at.
bool sketch_exceeds(double limit, const CostSketch& sketch, const Claims& claims, Sums least, const LevelCosts& costs,
                    int cores) {
  const bool may_run_ahead = sketch.sends == 0 || sketch.receives == 0;
  if (may_run_ahead || sketch.width < claims.rounds) return false;
  least.end = sketch.time;
  least.turns = std::max(least.turns, sketch.turns);
  return is_cheaper(limit, seconds_of(least, costs.inside(), cores));
}

}  // namespace

bool link_exceeds(double limit, NodeLink& link, Sums least, const LevelCosts& costs, int cores) {
  const auto exceeds = [&](double seconds) {
    least.link = seconds;
    return is_cheaper(limit, seconds_of(least, costs.inside(), cores));
  };
  if (!link.look_at_next() || !exceeds(link.likely())) return false;
  while (!exceeds(link.least())) {
    if (!link.look_at_next()) return false;
  }
  return true;
}

bool messages_exceed(double limit, NodeLink& link, const Claims& claims, const Sums& least, const LevelCosts& costs,
                     int cores) {
  if (link_exceeds(limit, link, least, costs, cores)) return true;
  const CostSketch* const sketch = link.sketch();
  return sketch != nullptr && sketch_exceeds(limit, *sketch, claims, least, costs, cores);
}

}  // namespace tutti
