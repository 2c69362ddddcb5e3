#include "topology/cuts/graph_cuts.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "topology/cuts/max_flow.hpp"

namespace tutti {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_ranks_for_all_sets = 8;
constexpr std::size_t most_sets = 512;
constexpr std::size_t most_links_times_sets = std::size_t{1} << 25;
constexpr std::int64_t most_links_times_ranks = std::int64_t{1} << 24;  // limit for graphs that are looked at by flows

using RankSet = std::vector<char>;  // for each rank whether it is inside

// Bytes a second, in any unit: the machine's own tw, which is not known here, counts as its default.
double capacity_of(const LinkCost& cost) {
  const double tw = cost.tw.value_or(1e-9);
  return tw > 0 ? cost.lanes * 1e-9 / tw : 1e30;
}

double lanes_of(const LinkCost& cost) { return cost.lanes; }

// LinkCapacities from node to node: those of links between the same nodes, added up.
class LinkCapacities {
 public:
  LinkCapacities(const GraphDescription& graph, double (*capacity)(const LinkCost& cost))
      : ranks_(graph.ranks), nodes_(static_cast<std::size_t>(graph.ranks + graph.switches)) {
    for (const Link& link : graph.links) add(link.from, link.to, capacity(link.cost));
  }

  // Switches with the same neighbours are on the same side of a narrowest cut, and count as one: for each of them a
  // side costs what it costs for the others.
  void merge_equal_switches() {
    std::map<std::map<int, Both>, std::size_t> seen;
    for (std::size_t node = static_cast<std::size_t>(ranks_); node < nodes_.size(); ++node) {
      if (nodes_[node].empty()) continue;
      const auto [same, is_new] = seen.try_emplace(nodes_[node], node);
      if (is_new) continue;
      const std::map<int, Both> links = std::exchange(nodes_[node], {});
      for (const auto& [neighbour, both] : links) {
        nodes_[static_cast<std::size_t>(neighbour)].erase(static_cast<int>(node));
        add(static_cast<int>(same->second), neighbour, both.out);
        add(neighbour, static_cast<int>(same->second), both.in);
      }
      // The kept switch has changed its equals, and so have its neighbours.
      return merge_equal_switches();
    }
  }

  bool symmetric() const {
    return std::all_of(nodes_.begin(), nodes_.end(), [](const std::map<int, Both>& links) {
      return std::all_of(links.begin(), links.end(),
                         [](const auto& link) { return link.second.out == link.second.in; });
    });
  }

  MaxFlow network() const {
    MaxFlow network(static_cast<int>(nodes_.size()));
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      for (const auto& [neighbour, both] : nodes_[node]) {
        if (neighbour > static_cast<int>(node)) network.add_link(static_cast<int>(node), neighbour, both.out, both.in);
      }
    }
    return network;
  }

 private:
  struct Both {
    double out = 0;
    double in = 0;
    auto operator<=>(const Both&) const = default;
  };

  void add(int from, int to, double capacity) {
    nodes_[static_cast<std::size_t>(from)][to].out += capacity;
    nodes_[static_cast<std::size_t>(to)][from].in += capacity;
  }

  int ranks_;
  std::vector<std::map<int, Both>> nodes_;  // for each its neighbours
};

// Puts ranks on the sources' side or the sinks', one after the other, and keeps the best halving.
class Halvings {
 public:
  Halvings(int ranks, int inside) : ranks_(ranks), inside_(inside), current_(static_cast<std::size_t>(ranks)) {}

  // Ranks from `next` on are still free; `taken` are inside. `fixed` is inside if it is a rank.
  void extend(const MaxFlow& network, int next, int taken) {
    if (next == ranks_) {
      best_ = MaxFlow(network).flow(best_);
      best_set_ = current_;
      return;
    }
    for (const bool in : {true, false}) {
      const bool possible = in ? taken < inside_ : ranks_ - next > inside_ - taken;
      if (!possible || (next == fixed_ && in != fixed_inside_)) continue;
      MaxFlow extended = network;
      in ? extended.make_source(next) : extended.make_sink(next);
      if (++looks_ > most_looks || extended.flow(best_) >= best_) continue;
      current_[static_cast<std::size_t>(next)] = in;
      extend(extended, next + 1, taken + (in ? 1 : 0));
    }
  }

  void fix(int rank, bool inside) {
    fixed_ = rank;
    fixed_inside_ = inside;
  }
  // Whether none is narrower: there was an end to all branches.
  bool complete() const { return looks_ <= most_looks; }
  double best() const { return best_; }
  const RankSet& best_set() const { return best_set_; }

 private:
  int ranks_;
  int inside_;
  int fixed_ = -1;
  bool fixed_inside_ = true;
  double best_ = infinity;
  RankSet current_;
  RankSet best_set_;
  static constexpr int most_looks = 1 << 16;
  int looks_ = 0;
};

// The set's side of the narrowest cut that parts its ranks from the others.
std::vector<char> narrowest_side(const GraphDescription& graph, const MaxFlow& network, const RankSet& set) {
  MaxFlow parted = network;
  for (int rank = 0; rank < graph.ranks; ++rank) {
    set[static_cast<std::size_t>(rank)] ? parted.make_source(rank) : parted.make_sink(rank);
  }
  parted.flow(infinity);
  return parted.sources_side();
}

// The set, and the switches from which links lead to ranks of the set alone: without a flow, for large graphs.
std::vector<char> near_side(const GraphDescription& graph, const RankSet& set) {
  std::vector<char> side = set;
  side.resize(static_cast<std::size_t>(graph.ranks + graph.switches));
  for (const bool inside : {true, false}) {
    for (const Link& link : graph.links) {
      if (link.from < graph.ranks || link.to >= graph.ranks) continue;
      if ((set[static_cast<std::size_t>(link.to)] != 0) == inside) side[static_cast<std::size_t>(link.from)] = inside;
    }
  }
  return side;
}

// A narrow cut between the set's ranks and the others, in their direction.
Cut cut_around(const GraphDescription& graph, const MaxFlow& network, const RankSet& set) {
  const bool large = static_cast<std::int64_t>(graph.links.size()) * graph.ranks > most_links_times_ranks;
  const std::vector<char> side = large ? near_side(graph, set) : narrowest_side(graph, network, set);
  Cut cut{.size = std::count_if(set.begin(), set.end(), [](char in) { return in != 0; }),
          .inside = [set](int rank) { return set[static_cast<std::size_t>(rank)] != 0; },
          .links = {}};
  for (const Link& link : graph.links) {
    if (side[static_cast<std::size_t>(link.from)] && !side[static_cast<std::size_t>(link.to)])
      add_links(cut.links, link.cost, 1);
  }
  return cut;
}

// Sets of ranks in which something may be narrow; none of them is empty or whole, and none comes twice.
class CandidateSets {
 public:
  explicit CandidateSets(const GraphDescription& graph)
      : ranks_(static_cast<std::size_t>(graph.ranks)),
        most_(std::min(most_sets, most_links_times_sets / std::max<std::size_t>(graph.links.size(), 1))) {}

  void add(const RankSet& set) {
    const auto inside = static_cast<std::size_t>(std::count(set.begin(), set.end(), char{1}));
    if (inside > 0 && inside < ranks_ && sets_.size() < most_) sets_.insert(set);
  }
  void add_with_complement(RankSet set) {
    add(set);
    for (char& in : set) in = in ? 0 : 1;
    add(set);
  }
  const std::set<RankSet>& sets() const { return sets_; }

 private:
  std::size_t ranks_;
  std::size_t most_;
  std::set<RankSet> sets_;
};

void add_all_sets(CandidateSets& found, int ranks) {
  for (unsigned bits = 1; bits + 1 < 1u << ranks; ++bits) {
    RankSet set(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) set[static_cast<std::size_t>(rank)] = bits >> rank & 1;
    found.add(set);
  }
}

void add_ranges(CandidateSets& found, int ranks, int length) {
  for (int first = 0; first < ranks; first += length) {
    RankSet set(static_cast<std::size_t>(ranks));
    std::fill_n(set.begin() + first, length, char{1});
    found.add_with_complement(set);
  }
}

void add_switches(CandidateSets& found, const GraphDescription& graph) {
  std::vector<RankSet> at(static_cast<std::size_t>(graph.switches), RankSet(static_cast<std::size_t>(graph.ranks)));
  for (const Link& link : graph.links) {
    if (link.from < graph.ranks && link.to >= graph.ranks)
      at[static_cast<std::size_t>(link.to - graph.ranks)][static_cast<std::size_t>(link.from)] = 1;
  }
  for (const RankSet& set : at) found.add_with_complement(set);
}

void add_halves(CandidateSets& found, const GraphDescription& graph, int anchor) {
  LinkCapacities capacities(graph, capacity_of);
  capacities.merge_equal_switches();
  const MaxFlow network = capacities.network();
  for (const bool inside : {true, false}) {
    Halvings halvings(graph.ranks, graph.ranks / 2);
    halvings.fix(anchor, inside);
    halvings.extend(network, 0, 0);
    if (!halvings.best_set().empty()) found.add(halvings.best_set());
  }
}

}  // namespace

std::optional<double> narrowest_halving(const GraphDescription& graph) {
  if (graph.ranks < 2) return 0;
  if (graph.ranks > most_ranks_for_halves) return std::nullopt;
  LinkCapacities capacities(graph, lanes_of);
  capacities.merge_equal_switches();
  Halvings halvings(graph.ranks, graph.ranks / 2);
  if (graph.ranks % 2 == 0 && capacities.symmetric()) halvings.fix(0, true);
  halvings.extend(capacities.network(), 0, 0);
  return halvings.complete() ? std::optional(halvings.best()) : std::nullopt;
}

std::vector<Cut> cuts_of(const GraphDescription& graph, int anchor) {
  if (graph.ranks < 2) return {};
  const MaxFlow network = LinkCapacities(graph, capacity_of).network();
  CandidateSets found(graph);
  if (graph.ranks <= most_ranks_for_all_sets) {
    add_all_sets(found, graph.ranks);
  } else {
    if (graph.ranks <= most_ranks_for_halves) add_halves(found, graph, anchor);
    add_switches(found, graph);
    for (int length = graph.ranks / 2; length > 0; --length) {
      if (graph.ranks % length == 0) add_ranges(found, graph.ranks, length);
    }
  }
  std::vector<Cut> cuts;
  for (const RankSet& set : found.sets()) cuts.push_back(cut_around(graph, network, set));
  return cuts;
}

}  // namespace tutti
