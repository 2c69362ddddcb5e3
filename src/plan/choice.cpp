#include "plan/choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/parameter_check.hpp"
#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "schedule/model/planning.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {
namespace {

// The algorithm that the environment asks for. Who set the variable may be far from who reads the error, which names
// it.
const Algorithm& by_environment(const Problem& problem, std::string_view value, const Layout& layout) {
  try {
    return algorithms::fitting(problem, value, layout);
  } catch (const Error& error) {
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
      if (!unmet_need(*algorithm, problem, layout)) names.push_back(algorithm->name);
    }
    const bool known = algorithms::find(problem.collective, value) != nullptr;
    fail(error.code(), "{}={}: {}; set it to one of {}, or not at all", algorithm_variable(problem.collective), value,
         known ? error.what() : fmt::format("{} has no such algorithm", name_of(problem.collective)),
         fmt::join(names, ", "));
  }
}

/// An algorithm that fits, and what it costs at least.
struct Candidate {
  const Algorithm* algorithm;
  std::size_t place;  ///< among those that fit, in the order of the catalogue
  double at_least;    ///< seconds
};

/// Whether a closer look at one of them promises to spare more of the others than one at the other does. What goes by
/// where ranks are is seldom far from the cheapest over several nodes, and recorded in little time.
bool comes_before(const Candidate& a, const Candidate& b) {
  const bool a_by_layout = a.algorithm->claims.looks_at_layout();
  const bool b_by_layout = b.algorithm->claims.looks_at_layout();
  return a_by_layout != b_by_layout ? a_by_layout : a.at_least < b.at_least;
}

std::vector<const Algorithm*> candidates(const Problem& problem, const Layout& layout, bool with_those_for_nodes) {
  std::vector<const Algorithm*> candidates;
  for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
    if (algorithm->for_several_nodes && !with_those_for_nodes) continue;
    const bool is_known_enough = problem.known_to < 0 || algorithm->own_blocks_suffice;
    if (is_known_enough && !unmet_need(*algorithm, problem, layout)) candidates.push_back(algorithm);
  }
  return candidates;
}

/// Bounds after a step by which a choice has become cheaper: how many times as much the following steps gain at most.
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
/// Bounds if segments may become short, which makes them cheaper at once: a later gain may be the greater one.
constexpr Falls falls_to_short_segments{.next = any, .together = 4};
/// Bounds over nodes, which take part one after the other: a later gain may be the greater one.
constexpr Falls falls_over_nodes{.next = any, .together = 4};
/// Nothing is known: a radix may come to the ranks of a node, or spare a whole round, so that the greatest fall comes
/// last.
constexpr Falls any_falls{.next = any, .together = any};

/// Returns the limit for the price of a step that, with the steps after it, may come down to `to_beat`. A price that is
/// as high as before is above it.
double limit_of_step(double price, double to_beat, double falls_that_follow) {
  const double cheaper = just_below(price);
  if (std::isinf(falls_that_follow)) return cheaper;
  return std::min(cheaper, (to_beat + falls_that_follow * price) / (1 + falls_that_follow));
}

// Returns the bounds for these numbers of segments. No message is shorter than a p-th part of one of the most segments.
const Falls& falls_upwards(const ParameterValues& values, const Problem& problem, std::int64_t element_size,
                           const CostModel& model) {
  if (model.layout().nodes() > 1) return falls_over_nodes;
  const double most = values.all.empty() ? 1 : values.all.back().segments;
  const double bytes = static_cast<double>(problem.count) * static_cast<double>(element_size);
  const double shortest = bytes / most / problem.ranks;
  return shortest <= static_cast<double>(model.short_bytes()) ? falls_to_short_segments : falls_of_segments;
}

}  // namespace

void check(const ChoiceRequest& request, const Problem& problem) {
  check(request.parameters, problem.ranks);
  algorithms::check_parameters(request.parameters, problem.collective, request.algorithm);
}

std::vector<const Algorithm*> candidates_for(const Problem& problem, const Layout& layout) {
  return candidates(problem, layout, layout.nodes() > 1);
}

std::vector<const Algorithm*> candidates_for(const Problem& problem, const CostModel& model) {
  return candidates(problem, model.layout(), model.layout().nodes() > 1 || model.is_of_a_network());
}

Choice choose(const Problem& problem, const Parameters& parameters, std::int64_t element_size, const CostModel& model) {
  RecordingContext context(RecordingContext::Patterns::kept);
  Problem priced = model.essence(problem);
  priced.in_place = false;  // ranks may differ in it
  std::vector<Candidate> candidates;
  for (const Algorithm* algorithm : candidates_for(problem, model)) {
    candidates.push_back(
        {algorithm, candidates.size(), model.at_least({*algorithm, parameters}, priced, element_size)});
  }
  if (candidates.empty()) fail(ErrorCode::unsupported, "no algorithm fits {}", describe(problem));
  std::stable_sort(candidates.begin(), candidates.end(), comes_before);
  double lowest = no_limit;
  std::vector<PricedChoice> prices;
  for (const Candidate& candidate : candidates) {
    const Choice choice = model.completed({*candidate.algorithm, parameters}, priced, element_size);
    const UsedParameters open = open_parameters(choice);
    // A choice without open parameters becomes no cheaper.
    const bool may_fall = open.segments || open.radix || open.grid;
    const double limit = may_fall ? lowest * near_the_lowest : lowest;
    const bool is_too_dear = is_cheaper(limit, candidate.at_least);
    prices.push_back(
        {choice, is_too_dear ? no_limit : model.seconds_within(context, limit, choice, priced, element_size)});
    lowest = std::min(lowest, prices.back().seconds);
  }
  // Parameters are searched where that may change who is first, the cheapest first.
  const double near = lowest * near_the_lowest;
  std::vector<std::size_t> searched;
  for (std::size_t k = 0; k < prices.size(); ++k) {
    if (!is_cheaper(near, prices[k].seconds)) searched.push_back(k);
  }
  std::sort(searched.begin(), searched.end(),
            [&](std::size_t a, std::size_t b) { return prices[a].seconds < prices[b].seconds; });
  for (const std::size_t k : searched) {
    prices[k] = search_parameters(context, prices[k], priced, element_size, model, lowest);
    lowest = std::min(lowest, prices[k].seconds);
  }
  std::size_t best = prices.size();
  for (std::size_t k = 0; k < prices.size(); ++k) {
    const bool is_lowest = !is_cheaper(lowest, prices[k].seconds);
    if (is_lowest && (best == prices.size() || candidates[k].place < candidates[best].place)) best = k;
  }
  return prices[best].choice;
}

std::string_view algorithm_in_environment(Collective collective) {
  const char* const value = environment_variable(algorithm_variable(collective).c_str());
  return value == nullptr ? std::string_view() : std::string_view(value);
}

const Algorithm* named_algorithm(const Problem& problem, std::string_view name, const Layout& layout) {
  if (!name.empty()) return &algorithms::fitting(problem, name, layout);
  const std::string_view value = algorithm_in_environment(problem.collective);
  return value.empty() ? nullptr : &by_environment(problem, value, layout);
}

UsedParameters open_parameters(const Choice& choice) {
  UsedParameters open = algorithms::parameters_of(*choice.algorithm);
  open.segments = open.segments && choice.parameters.segments == 0;
  open.radix = open.radix && choice.parameters.radix == 0;
  open.grid = open.grid && choice.parameters.grid.empty();
  return open;
}

PricedChoice search_parameters(RecordingContext& context, const PricedChoice& priced, const Problem& problem,
                               std::int64_t element_size, const CostModel& model, double to_beat) {
  const Choice& choice = priced.choice;
  const UsedParameters open = open_parameters(choice);
  const auto go = [&](const PricedChoice& usual, const ParameterValues& values, int direction, const Falls& falls,
                      double goal) {
    PricedChoice best = usual;
    double fall = no_limit;  // gain of the last step
    const auto end = direction < 0 ? std::ptrdiff_t{-1} : static_cast<std::ptrdiff_t>(values.all.size());
    for (auto at = static_cast<std::ptrdiff_t>(values.usual) + direction; at != end; at += direction) {
      const Choice other(*choice.algorithm, values.all[static_cast<std::size_t>(at)]);
      const std::ptrdiff_t left = std::abs(end - at);
      if (is_cheaper(goal, best.seconds - fall * falls.of(left))) break;
      const double limit = limit_of_step(best.seconds, goal, falls.of(left - 1));
      if (is_cheaper(limit, model.at_least(other, problem, element_size))) break;
      const double seconds = model.seconds_within(context, limit, other, problem, element_size);
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
