#include "plan/parameter_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "algorithms/parameter_check.hpp"
#include "plan/choice.hpp"

namespace tutti {
namespace {

/// Of a step with which a choice has become cheaper by some fall: how many times as much those that follow fall at
/// most.
struct Falls {
  double next;      ///< the step after it
  double together;  ///< all steps after it

  double of(std::ptrdiff_t steps) const {
    double falls = 0;
    for (; steps > 0; --steps) falls = next * (1 + falls);
    return std::min(falls, together);
  }
};

constexpr double any = std::numeric_limits<double>::infinity();
/// Upwards. What segments cost is about a + b S + c / S for S of them: by doubling S, each fall is at most half of the
/// one before.
constexpr Falls falls_of_segments{.next = 0.5, .together = 1};
/// The same where segments may become short, which makes them cheaper at once: a later fall may be the greater one.
constexpr Falls falls_to_short_segments{.next = any, .together = 1};
/// The same over nodes, which take part one after the other: a later fall may be the greater one.
constexpr Falls falls_over_nodes{.next = any, .together = 4};
/// Nothing is known: a radix may come to the ranks of a node, or spare a whole round, so that the greatest fall comes
/// last.
constexpr Falls any_falls{.next = any, .together = any};

/// What a step from a price may lead to, if it falls, and with those that follow comes down to `to_beat`. What is as
/// dear as before is above it.
double limit_of_step(double price, double to_beat, double falls_that_follow) {
  const double cheaper = just_below(price);
  if (std::isinf(falls_that_follow)) return cheaper;
  return std::min(cheaper, (to_beat + falls_that_follow * price) / (1 + falls_that_follow));
}

// Of these numbers of segments. No message is shorter than a p-th part of one of the most segments.
const Falls& falls_upwards(const ParameterValues& values, const Problem& problem, std::int64_t element_size,
                           const CostModel& model) {
  if (model.layout().nodes() > 1) return falls_over_nodes;
  const double most = values.all.empty() ? 1 : values.all.back().segments;
  const double bytes = static_cast<double>(problem.count) * static_cast<double>(element_size);
  const double shortest = bytes / most / problem.ranks;
  return shortest <= static_cast<double>(model.short_bytes()) ? falls_to_short_segments : falls_of_segments;
}

}  // namespace

LooksAt open_parameters(const Choice& choice) {
  LooksAt open = algorithms::parameters_of(*choice.algorithm);
  open.segments = open.segments && choice.parameters.segments == 0;
  open.radix = open.radix && choice.parameters.radix == 0;
  open.grid = open.grid && choice.parameters.grid.empty();
  return open;
}

PricedChoice search_parameters(const PricedChoice& priced, const Problem& problem, std::int64_t element_size,
                               const CostModel& model, double to_beat) {
  const Choice& choice = priced.choice;
  const LooksAt open = open_parameters(choice);
  const auto go = [&](const PricedChoice& usual, const ParameterValues& values, int direction, const Falls& falls,
                      double goal) {
    PricedChoice best = usual;
    double fall = no_limit;  // of the last step
    const auto end = direction < 0 ? std::ptrdiff_t{-1} : static_cast<std::ptrdiff_t>(values.all.size());
    for (auto at = static_cast<std::ptrdiff_t>(values.usual) + direction; at != end; at += direction) {
      const Choice other(*choice.algorithm, values.all[static_cast<std::size_t>(at)]);
      const std::ptrdiff_t left = std::abs(end - at);
      if (is_cheaper(goal, best.seconds - fall * falls.of(left))) break;
      const double limit = limit_of_step(best.seconds, goal, falls.of(left - 1));
      if (is_cheaper(limit, model.at_least(other, problem, element_size))) break;
      const double seconds = model.seconds_within(limit, other, problem, element_size);
      if (is_cheaper(limit, seconds) || !is_cheaper(seconds, best.seconds)) break;
      fall = best.seconds - seconds;
      best = {other, seconds};
    }
    return best;
  };
  PricedChoice best = priced;
  const auto search = [&](const ParameterValues& values, const Falls& falls, bool is_last) {
    if (values.all.size() < 2) return;
    const double goal = is_last ? to_beat : no_limit;  // a later search may still come down to it
    const PricedChoice usual = best;
    // A limit does not tell whether a price fell: so that all limits lead to the same, both ways are gone. They may
    // both lead down, where fewer segments spare messages and more make them short.
    for (const int direction : {-1, 1}) {
      const PricedChoice found = go(usual, values, direction, direction < 0 ? any_falls : falls, goal);
      if (is_cheaper(found.seconds, best.seconds)) best = found;
    }
  };
  const ParameterValues segments = open.segments ? segments_of(choice, problem) : ParameterValues();
  search(segments, falls_upwards(segments, problem, element_size, model), !open.radix && !open.grid);
  if (open.radix) search(radices_of(best.choice, problem), any_falls, !open.grid);
  if (open.grid) search(grids_of(best.choice, problem), any_falls, true);
  return best;
}

}  // namespace tutti
