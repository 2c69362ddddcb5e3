#include "simulate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.hpp"
#include "base/units.hpp"
#include "simulate/engines.hpp"
#include "simulate/rescaled.hpp"
#include "simulate/traffic_bound.hpp"

namespace tutti {

namespace {

// Returns loads for a network with a link for every pair of ranks, of which engines keep no records.
std::vector<LinkLoad> loads_of_pairs(const Simulation& result, const Topology& topology) {
  std::map<LinkId, std::int64_t> bytes;
  for (const TimelineMessage& message : result.timeline) {
    if (message.bytes > 0) bytes[route_of(topology, message.from, message.to).front()] += message.bytes;
  }
  std::vector<LinkLoad> loads;
  for (const auto& [link, carried] : bytes) loads.push_back({link, carried});
  return loads;
}

Simulation run(Workload& workload, const Topology& topology, const Machine& machine, const SimulationOptions& options) {
  Simulation result;
  if (traffic_is_too_long(workload, topology, machine, options)) {
    result.is_whole = false;
    result.work = workload.messages();
  } else if (options.engine == Engine::rounds) {
    result = simulate_rounds(workload, topology, machine, options);
  } else if (auto quick =
                 options.releases.empty() ? simulate_uncontended(workload, topology, machine, options) : std::nullopt) {
    result = std::move(*quick);
    result.work = workload.messages() * work_of_a_message;
    result.is_whole = result.is_whole && (!options.most_work || result.work <= *options.most_work) &&
                      (!options.until || result.seconds <= *options.until);
    if (options.progress && workload.messages() > 0) options.progress(workload.messages(), workload.messages());
  } else {
    result = simulate_flows(workload, topology, machine, options);
  }
  if (options.timeline && topology.dedicated() && result.loads.empty()) result.loads = loads_of_pairs(result, topology);
  return result;
}

void check_network(const SimulationOptions& options, const Topology& topology) {
  require(options.routing != Routing::adaptive || !topology.dedicated(),
          "{} has a link of its own for every pair of ranks; 'adaptive' finds nothing to avoid there", topology.name());
  require(options.background.messages >= 0, "background traffic is at least 0 messages, not {}",
          options.background.messages);
  require(options.background.messages == 0 || topology.ranks() > 1,
          "background traffic needs two ranks at least, and {} has one", topology.name());
  require(std::isfinite(options.injection) && options.injection >= 0,
          "what a rank takes for a byte is at least 0 seconds, not {}", options.injection);
  require(!options.eager || *options.eager >= 0, "eager sends have at least 0 bytes, not {}",
          options.eager.value_or(0));
}

void check(const SimulationOptions& options, const Workload& workload) {
  require(options.skew.empty() || options.skew.size() == static_cast<std::size_t>(workload.ranks()),
          "skew is given for {} ranks of {}", options.skew.size(), workload.ranks());
  for (const Skew& skew : options.skew) {
    require(std::isfinite(skew.start) && skew.start >= 0 && std::isfinite(skew.slowness) && skew.slowness > 0,
            "a rank starts after at least 0 seconds and is slower by a factor above 0, not {} and {}", skew.start,
            skew.slowness);
    require(skew.start == 0 || options.engine == Engine::flows,
            "in rounds all ranks begin together: a rank that begins {} late needs the engine 'flows'",
            text_of(Seconds{skew.start}));
  }
  for (const Release& release : options.releases) {
    require(std::isfinite(release.start) && release.start >= 0, "a message begins after at least 0 seconds, not {}",
            release.start);
    require(options.engine == Engine::flows,
            "in rounds all messages begin together: one that begins {} late needs the engine 'flows'",
            text_of(Seconds{release.start}));
  }
}

}  // namespace

void check_ranks(int ranks, const Topology& topology) {
  require(ranks == topology.ranks(), "a schedule for {} does not fit {}, which has {}", counted(ranks, "rank"),
          topology.name(), topology.ranks());
}

Simulation simulate(Workload& workload, const Topology& topology, const Machine& machine,
                    const SimulationOptions& options) {
  check(machine);
  check_ranks(workload.ranks(), topology);
  check(options, workload);
  check_network(options, topology);
  const Rescaled rescaled(topology, machine, options);
  Simulation result = run(workload, rescaled.topology(), rescaled.machine(), rescaled.options());
  rescaled.to_seconds(result);
  // Engines count none on links that are nobody else's, or that take no time.
  if (result.is_whole && workload.messages() > 0) result.most_shared = std::max(result.most_shared, 1);
  result.messages = workload.messages();
  result.bytes = workload.bytes();
  return result;
}

}  // namespace tutti
