#include "plan/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "plan/choice.hpp"
#include "schedule/model/parameter_values.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {
namespace {

/// The count next to `outside` at which `wins` holds, as it does at `outside` and not at `inside`.
template <typename Wins>
std::int64_t border(std::int64_t inside, std::int64_t outside, const Wins& wins) {
  while (std::max(inside, outside) - std::min(inside, outside) > 1) {
    const std::int64_t middle = inside + (outside - inside) / 2;
    (wins(middle) ? outside : inside) = middle;
  }
  return outside;
}

}  // namespace

std::vector<Priced> ranking_of(const Problem& problem, const Parameters& parameters, std::int64_t element_size,
                               const CostModel& model) {
  Problem priced = model.essence(problem);
  priced.in_place = false;
  RecordingContext context(RecordingContext::Patterns::kept);
  std::vector<Priced> ranking;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Algorithm* algorithm : candidates_for(problem, model)) {
    const Choice choice = model.completed({*algorithm, parameters}, priced, element_size);
    ranking.push_back({choice, model.seconds_within(context, no_limit, choice, priced, element_size), 0});
    lowest = std::min(lowest, ranking.back().seconds);
  }
  for (Priced& each : ranking) {
    if (!is_cheaper(lowest * near_the_lowest, each.seconds)) {
      const PricedChoice found = search_parameters(context, {each.choice, each.seconds}, priced, element_size, model);
      each = {found.choice, found.seconds, 0};
    }
    each.once = model.seconds_once(each.choice, priced, element_size);
  }
  // At each place the first in the catalogue of those that none of the rest is cheaper than, as choose() has it: being
  // equal but for rounding is no order by which one could sort.
  for (auto rest = ranking.begin(); rest != ranking.end(); ++rest) {
    const double least = std::min_element(rest, ranking.end(), [](const Priced& a, const Priced& b) {
                           return a.seconds < b.seconds;
                         })->seconds;
    const auto next =
        std::find_if(rest, ranking.end(), [&](const Priced& each) { return !is_cheaper(least, each.seconds); });
    std::rotate(rest, next, next + 1);
  }
  return ranking;
}

double least_once(const Problem& problem, std::int64_t element_size, const CostModel& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const Algorithm* algorithm : candidates_for(problem, model)) {
    least = std::min(least, model.seconds_once(*algorithm, problem, element_size));
  }
  return least;
}

bool uses_segments(const Choice& choice, const Problem& problem, const Layout& layout) {
  return used_parameters(choice, problem, layout).segments;
}

std::string parameters_in_words(const Choice& choice, const Problem& problem, const Layout& layout) {
  const UsedParameters looked = used_parameters(choice, problem, layout);
  Parameters taken;
  if (looked.segments) taken.segments = choice.parameters.segments_for(problem.count);
  if (looked.radix) taken.radix = choice.parameters.radix_for(problem.ranks);
  if (looked.grid) taken.grid = choice.parameters.grid_for(problem.ranks);
  return taken == Parameters() ? std::string() : describe(taken);
}

std::string choice_in_words(const Choice& choice) {
  const bool is_plain = choice.parameters == Parameters();
  return fmt::format("{}{}", choice.algorithm->name, is_plain ? "" : fmt::format(" ({})", describe(choice.parameters)));
}

Crossover crossover(const Choice& first, const Choice& second, const Problem& problem, std::int64_t element_size,
                    const CostModel& model) {
  if (!problem.counts.empty() || problem.extra > 0 || problem.collective == Collective::barrier) return {};
  const auto wins = [&](std::int64_t count) {
    Problem sized = problem;
    sized.count = count;
    return is_cheaper(model.seconds(second, sized, element_size), model.seconds(first, sized, element_size));
  };
  constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
  const std::int64_t most = std::min(most_bytes / std::max<std::int64_t>(1, element_size), largest_count(problem));
  Crossover found;
  for (std::int64_t last = problem.count; last > 1 && !found.at_most; last /= 2) {
    if (wins(last / 2)) found.at_most = border(last, last / 2, wins);
  }
  for (std::int64_t last = std::max<std::int64_t>(1, problem.count); last <= most / 2 && !found.at_least; last *= 2) {
    if (wins(last * 2)) found.at_least = border(last, last * 2, wins);
  }
  return found;
}

}  // namespace tutti
