#include "app/cheapest.hpp"

#include <fmt/format.h>

#include "algorithms/catalogue.hpp"
#include "app/nodes.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "cost/links.hpp"

namespace tutti::app {
namespace {

constexpr Effort a_moment{.shown = 0, .compared = Effort().shown};

std::string reason(const BestOffer& found) {
  const auto& [best, candidates, unknown, if_connected] = found;
  constexpr std::string_view remedy = "--algorithm NAME takes another";
  const std::string_view name = best.algorithm->name;
  if (if_connected)
    return fmt::format(
        "{} would be the cheapest of {} if each pair of ranks had its own link, by closed forms: all are too large to "
        "be "
        "priced on this network in a moment; {}",
        name, candidates, remedy);
  if (best.basis == Basis::none)
    return fmt::format("{} is the catalogue's first: all are too large to be priced in a moment; {}", name, remedy);
  const std::string passed = unknown == 0 ? "" : fmt::format(" ({} too large to be priced in a moment)", unknown);
  const int segments = best.parameters.segments;
  return fmt::format("{}{} is the cheapest of {} here{}; {}", name,
                     segments == 0 ? "" : " in " + counted(segments, "segment"), candidates, passed, remedy);
}

// The cheapest between fully connected ranks whose links are the fastest of the network's, by exact closed forms. Among
// those that a simulation holds, if there are any.
std::optional<Offer> cheapest_if_connected(const Question& question) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 23;
  Question connected = question;
  const PortSpeeds ports = port_speeds(*question.topology, question.machine);
  connected.machine.ts = ports.least_ts;
  connected.machine.tw = ports.least_time;
  connected.topology = full_topology(question.problem.ranks);
  std::erase_if(connected.algorithms, [&](const Algorithm* algorithm) {
    const Choice choice(*algorithm, question.parameters);
    return recorded_size(choice, question.problem, question.layout).effort() > most_messages;
  });
  if (connected.algorithms.empty()) connected.algorithms = question.algorithms;
  Prices prices(std::move(connected), {question.problem.count}, 0, {.shown = 0, .compared = 0});
  const Offer best = prices.cheapest(question.problem.count);
  return best.basis == Basis::closed_form ? std::optional(best) : std::nullopt;
}

}  // namespace

BestOffer best_offer(Question question) {
  const std::size_t candidates = question.algorithms.size();
  const std::int64_t bytes = question.problem.count;
  Prices prices(std::move(question), {bytes}, 0, a_moment);
  BestOffer found{prices.cheapest(bytes), candidates, prices.unknown().size()};
  if (found.offer.basis != Basis::none) return found;
  const auto connected = cheapest_if_connected(prices.question());
  if (!connected) return found;
  found.offer = *connected;
  found.offer.basis = Basis::none;
  found.if_connected = true;
  return found;
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
