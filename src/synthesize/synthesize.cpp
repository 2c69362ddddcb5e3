#include "synthesize/synthesize.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "base/check.hpp"

namespace tutti::synthesize {
namespace {

constexpr std::array known{Collective::broadcast, Collective::reduce, Collective::all_reduce, Collective::all_gather,
                           Collective::reduce_scatter};

Supplies supplies_of(const Wish& wish, int ranks) {
  Supplies supplies(static_cast<std::size_t>(ranks), has_root(wish.collective) ? 0 : 1);
  if (has_root(wish.collective)) supplies[static_cast<std::size_t>(wish.root)] = 1;
  return supplies;
}

// Seconds a byte for the links that lead out, or in where the network is turned round.
double time_across(const std::vector<char>& inside, const Topology& topology, const Machine& machine, bool turned) {
  double speed = 0;
  for (LinkId id = 0; id < topology.links(); ++id) {
    const Link link = topology.link(id);
    const char from = inside[static_cast<std::size_t>(turned ? link.to : link.from)];
    const char to = inside[static_cast<std::size_t>(turned ? link.from : link.to)];
    if (from && !to && leads_somewhere(topology, link)) speed += 1 / link_time(machine, topology, id);
  }
  return 1 / speed;
}

/// Trees in one direction, and what they are worth for a byte of supply.
struct Direction {
  Forest forest;
  double optimum = 0;
  double achieved = 0;
};

Direction one_way(const Wish& wish, const MeasuredCapacities& measured, const Topology& topology,
                  const Machine& machine, bool turned) {
  const Capacities capacities = turned ? measured.capacities.reversed() : measured.capacities;
  Supplies supplies = supplies_of(wish, topology.ranks());
  const NarrowCut narrowest = narrowest_cut(capacities, supplies);
  const Scaled scaled = scaled_to_trees(capacities, supplies, narrowest, wish.most_trees);
  for (std::int64_t& supply : supplies) supply *= scaled.each;
  Direction direction{.forest = pack_trees(without_switches(scaled.capacities, supplies), supplies)};
  direction.optimum = static_cast<double>(narrowest.supply) * time_across(narrowest.inside, topology, machine, turned);
  direction.achieved = scaled.factor() / measured.unit;
  return direction;
}

}  // namespace

std::span<const Collective> collectives() { return known; }

Synthesis synthesize(const Wish& wish, const Topology& topology, const Machine& machine) {
  if (std::find(known.begin(), known.end(), wish.collective) == known.end()) {
    std::vector<std::string_view> names;
    for (const Collective collective : known) names.push_back(name_of(collective));
    fail(ErrorCode::unsupported, "schedules are synthesized for {}, not for {}", fmt::join(names, ", "),
         name_of(wish.collective));
  }
  Synthesis synthesis;
  if (topology.ranks() == 1) return synthesis;
  const MeasuredCapacities measured = capacities_of(topology, machine);
  const bool gathers = !reduces(wish.collective) || wish.collective == Collective::all_reduce;
  // All data of an all-reduce is p parts, each of which is told as a block is.
  const double share = wish.collective == Collective::all_reduce ? 1.0 / topology.ranks() : 1;
  const auto add = [&](const Direction& direction, Forest& forest) {
    forest = direction.forest;
    synthesis.optimum += direction.optimum * share;
    synthesis.achieved += direction.achieved * share;
  };
  std::optional<Direction> down;
  if (gathers) add(*(down = one_way(wish, measured, topology, machine, false)), synthesis.trees.down);
  if (!reduces(wish.collective)) return synthesis;
  const bool alike = down && measured.capacities == measured.capacities.reversed();
  add(alike ? *down : one_way(wish, measured, topology, machine, true), synthesis.trees.up);
  return synthesis;
}

std::int64_t best_chunks(const Synthesis& synthesis, const Problem& problem, std::int64_t bytes,
                         const Machine& machine) {
  constexpr std::int64_t most_slices = std::int64_t{1} << 19;
  // Of 72 ranks on a dragonfly so many are simulated in 13 s.
  constexpr std::int64_t most_messages = 48 * 1024;
  const auto& [up, down] = synthesis.trees;
  std::int64_t edges = 1;
  std::int64_t messages = 1;  // a round
  for (const Forest* forest : {&up, &down}) {
    std::set<std::pair<int, int>> pairs;
    for (const Tree& tree : forest->trees) {
      edges += static_cast<std::int64_t>(tree.edges.size());
      for (const TreeEdge& edge : tree.edges) pairs.emplace(edge.from, edge.to);
    }
    messages += static_cast<std::int64_t>(pairs.size());
  }
  const std::int64_t blocks = problem.collective == Collective::all_reduce ? problem.ranks : 1;
  const std::int64_t most =
      std::min({bytes / blocks / std::max(up.each, down.each), most_slices / edges, most_messages / messages});
  const double time = synthesis.achieved * static_cast<double>(bytes);
  const double depth = std::max(up.depth(), down.depth());
  const double best =
      machine.ts > 0 ? std::sqrt(std::max(depth - 1, 0.0) * time / machine.ts) : static_cast<double>(most);
  return std::clamp<std::int64_t>(std::llround(std::min(best, 1e9)), 1, std::max<std::int64_t>(most, 1));
}

}  // namespace tutti::synthesize
