#include "app/cheapest.hpp"

#include <fmt/format.h>

#include "algorithms/catalogue.hpp"
#include "app/nodes.hpp"
#include "base/check.hpp"

namespace tutti::app {
namespace {

constexpr Effort a_moment{.shown = std::int64_t{1} << 18, .compared = std::int64_t{1} << 18};

std::string reason(const Offer& best, std::size_t candidates, std::size_t unknown) {
  constexpr std::string_view remedy = "--algorithm NAME takes another";
  const std::string_view name = best.algorithm->name;
  if (best.basis == Basis::none)
    return fmt::format("{} is the catalogue's first: all are too large to be priced in a moment; {}", name, remedy);
  const std::string passed = unknown == 0 ? "" : fmt::format(" ({} too large to be priced in a moment)", unknown);
  const int segments = best.parameters.segments;
  return fmt::format("{}{} is the cheapest of {} here{}; {}", name,
                     segments == 0 ? "" : fmt::format(" in {} segments", segments), candidates, passed, remedy);
}

}  // namespace

Taken algorithm_for(const Request& request, const Problem& problem, const TopologyPtr& topology,
                    const Machine& machine) {
  const Layout layout = layout_of(request);
  if (request.algorithm) return {&algorithms::fitting(problem, *request.algorithm, layout), parameters_of(request), {}};
  Question question{.problem = problem,
                    .topology = topology,
                    .machine = machine,
                    .algorithms = fitting_algorithms(problem, layout),
                    .parameters = parameters_of(request),
                    .layout = layout};
  require(!question.algorithms.empty(), "no algorithm fits {}", describe(problem));
  const std::size_t candidates = question.algorithms.size();
  Prices prices(std::move(question), {problem.count}, 0, a_moment);
  const Offer best = prices.cheapest(problem.count);
  return {best.algorithm, best.parameters, reason(best, candidates, prices.unknown().size())};
}

}  // namespace tutti::app
