#include "pricing/cheapest.hpp"

#include "algorithms/catalogue.hpp"
#include "cost/bounds/links.hpp"

namespace tutti {
namespace {

constexpr PricingEffort a_moment{.shown = 0, .compared = PricingEffort().shown};

// The cheapest between fully connected ranks whose links are the fastest of the network's, by exact closed forms. Among
// those that a simulation holds, if there are any.
std::optional<PricedAlgorithm> cheapest_if_connected(const PricingRequest& request) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 23;
  PricingRequest connected = request;
  const PortSpeeds ports = port_speeds(*request.topology, request.machine);
  connected.machine.ts = ports.least_ts;
  connected.machine.tw = ports.least_time;
  connected.topology = full_topology(request.problem.ranks);
  std::erase_if(connected.algorithms, [&](const Algorithm* algorithm) {
    const Choice choice(*algorithm, request.parameters);
    return recorded_size(choice, request.problem, request.layout).effort() > most_messages;
  });
  if (connected.algorithms.empty()) connected.algorithms = request.algorithms;
  Prices prices(std::move(connected), {request.problem.count}, 0, {.shown = 0, .compared = 0});
  const PricedAlgorithm best = prices.cheapest(request.problem.count);
  return best.basis == Basis::closed_form ? std::optional(best) : std::nullopt;
}

}  // namespace

CheapestAlgorithm cheapest_algorithm(PricingRequest request) {
  const std::size_t candidates = request.algorithms.size();
  const std::int64_t bytes = request.problem.count;
  Prices prices(std::move(request), {bytes}, 0, a_moment);
  CheapestAlgorithm found{prices.cheapest(bytes), candidates, prices.unknown().size()};
  found.simulation = prices.simulation_of(found.priced, bytes);
  if (found.priced.basis != Basis::none) return found;
  const auto connected = cheapest_if_connected(prices.request());
  if (!connected) return found;
  found.priced = *connected;
  found.priced.basis = Basis::none;
  found.if_connected = true;
  return found;
}

}  // namespace tutti
