#include "plan/choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/parameter_check.hpp"
#include "base/check.hpp"
#include "base/environment.hpp"
#include "plan/parameter_search.hpp"
#include "schedule/algorithm_variable.hpp"
#include "schedule/known_patterns.hpp"
#include "schedule/spare.hpp"

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

}  // namespace

void check(const Wish& wish, const Problem& problem) {
  check(wish.parameters, problem.ranks);
  algorithms::check_parameters(wish.parameters, problem.collective, wish.algorithm);
}

std::vector<const Algorithm*> candidates_for(const Problem& problem, const Layout& layout) {
  return candidates(problem, layout, layout.nodes() > 1);
}

std::vector<const Algorithm*> candidates_for(const Problem& problem, const CostModel& model) {
  return candidates(problem, model.layout(), model.layout().nodes() > 1 || model.is_of_a_network());
}

Choice choose(const Problem& problem, const Parameters& parameters, std::int64_t element_size, const CostModel& model) {
  const KnownPatterns known;
  const Spares spares;
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
    const LooksAt open = open_parameters(choice);
    // What has no open parameters becomes no cheaper.
    const bool may_fall = open.segments || open.radix || open.grid;
    const double limit = may_fall ? lowest * near_the_lowest : lowest;
    const bool is_too_dear = is_cheaper(limit, candidate.at_least);
    prices.push_back({choice, is_too_dear ? no_limit : model.seconds_within(limit, choice, priced, element_size)});
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
    prices[k] = search_parameters(prices[k], priced, element_size, model, lowest);
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

}  // namespace tutti
