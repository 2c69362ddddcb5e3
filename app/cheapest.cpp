#include "app/cheapest.hpp"

#include <fmt/format.h>

#include "algorithms/catalogue.hpp"
#include "app/nodes.hpp"
#include "base/check.hpp"

namespace tutti::app {
namespace {

constexpr Effort a_moment{.shown = std::int64_t{1} << 18, .compared = std::int64_t{1} << 18};

std::string reason(const BestOffer& found) {
  const auto& [best, candidates, unknown] = found;
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

BestOffer best_offer(Question question) {
  const std::size_t candidates = question.algorithms.size();
  const std::int64_t bytes = question.problem.count;
  Prices prices(std::move(question), {bytes}, 0, a_moment);
  return {prices.cheapest(bytes), candidates, prices.unknown().size()};
}

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
  const BestOffer best = best_offer(std::move(question));
  return {best.offer.algorithm, best.offer.parameters, reason(best)};
}

}  // namespace tutti::app
