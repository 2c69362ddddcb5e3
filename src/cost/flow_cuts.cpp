#include "cost/flow_cuts.hpp"

#include <memory>

#include "topology/narrowest.hpp"

namespace tutti {
namespace {

// The ranks for which `inside` says `which`, and the links that lead away from them.
Cut cut_of(const std::vector<char>& inside, bool which, const Topology& topology) {
  const auto nodes = std::make_shared<const std::vector<char>>(inside);
  Cut cut;
  cut.inside = [nodes, which](int rank) { return ((*nodes)[static_cast<std::size_t>(rank)] != 0) == which; };
  for (int rank = 0; rank < topology.ranks(); ++rank) cut.size += cut.inside(rank) ? 1 : 0;
  for (LinkId id = 0; id < topology.links(); ++id) {
    const Link link = topology.link(id);
    if (cut.inside(link.from) && !cut.inside(link.to) && leads_somewhere(topology, id))
      add_links(cut.links, link.cost, 1);
  }
  return cut;
}

bool is_asked(const Problem& problem, const Topology& topology) {
  // Of up to so many ranks graphs name the cut around each set (topology/graph_cuts.hpp).
  constexpr int few_ranks = 8;
  constexpr std::int64_t most_work = std::int64_t{1} << 16;
  return topology.ranks() > few_ranks && topology.links() <= most_work / topology.ranks() &&
         topology.nodes() <= most_nodes_with_capacities && problem.counts.empty() && problem.extra == 0;
}

bool costs_something(const Topology& topology, const Machine& machine) {
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (leads_somewhere(topology, id) && link_time(machine, topology, id) > 0) return true;
  }
  return false;
}

}  // namespace

std::vector<Cut> narrowest_cuts(const Problem& problem, const Topology& topology, const Machine& machine) {
  const Collective collective = problem.collective;
  const bool whole = collective == Collective::all_reduce;
  const bool tells = collective == Collective::broadcast || collective == Collective::all_gather || whole;
  const bool hears = collective == Collective::reduce || collective == Collective::reduce_scatter || whole;
  std::vector<Cut> cuts;
  if (!(tells || hears) || !is_asked(problem, topology) || !costs_something(topology, machine)) return cuts;
  // Every cut lets the whole of an all-reduce pass: those around rank 0 and those that leave it out.
  const bool one = has_root(collective) || whole;
  Supplies supplies(static_cast<std::size_t>(topology.ranks()), one ? 0 : 1);
  if (one) supplies[static_cast<std::size_t>(whole ? 0 : problem.root)] = 1;
  const Capacities capacities = capacities_of(topology, machine).capacities;
  if (tells) cuts.push_back(cut_of(narrowest_cut(capacities, supplies).inside, true, topology));
  if (hears) cuts.push_back(cut_of(narrowest_cut(capacities.reversed(), supplies).inside, false, topology));
  return cuts;
}

}  // namespace tutti
