#include "predict/messages_exceed.hpp"

#include <algorithm>

#include "predict/cost_model.hpp"

namespace tutti {
namespace {

/// Whether the limit is_cheaper() than what the outline of a rank shows that the estimate looks at.
bool outline_exceeds(double limit, const Outline& outline, const Claims& claims, Sums least, const LevelCosts& costs,
                     int cores) {
  const bool may_run_ahead = outline.sends == 0 || outline.receives == 0;
  if (may_run_ahead || outline.width < claims.rounds) return false;
  least.end = outline.time;
  least.turns = std::max(least.turns, outline.turns);
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
  const Outline* const outline = link.outline();
  return outline != nullptr && outline_exceeds(limit, *outline, claims, least, costs, cores);
}

}  // namespace tutti
