#include "synthesize/synthesize.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "base/alike.hpp"
#include "base/check.hpp"
#include "synthesize/edges_at_ranks.hpp"
#include "synthesize/pairs/pairs.hpp"
#include "synthesize/trees/forest.hpp"
#include "topology/injected.hpp"

namespace tutti::synthesize {
namespace {

constexpr std::array synthesized{Collective::broadcast, Collective::reduce, Collective::all_reduce,
                                 Collective::all_gather, Collective::reduce_scatter};

Supplies supplies_of(const SynthesisRequest& wish, int ranks) {
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
    if (from && !to && leads_somewhere(topology, id)) speed += 1 / link_time(machine, topology, id);
  }
  return 1 / speed;
}

/// Trees in one direction, and what they are worth for a byte of supply.
struct PricedForest {
  Forest forest;
  double optimum = 0;
  double achieved = 0;
  double one_chunk = 0;
};

/// A network seen in one direction.
class View {
 public:
  View(const SynthesisRequest& wish, const Topology& topology, const Machine& machine, bool turned)
      : measured_(capacities_of(topology, machine)),
        capacities_(turned ? measured_.capacities.reversed() : measured_.capacities),
        supplies_(supplies_of(wish, topology.ranks())),
        narrowest_(narrowest_cut(capacities_, supplies_)),
        optimum_(static_cast<double>(narrowest_.supply) * time_across(narrowest_.inside, topology, machine, turned)) {}

  double optimum() const { return optimum_; }

  /// `finer`: the number of parts that each part is cut in.
  PricedForest packed(std::int64_t most_trees, const std::vector<Way>& ways, std::int64_t finer = 1) const {
    Scaled scaled = scaled_to_trees(capacities_, supplies_, narrowest_, most_trees);
    scaled.capacities = scaled.capacities.times(finer, 1);
    scaled.each *= finer;
    scaled.part_time *= static_cast<double>(finer);
    Supplies supplies = supplies_;
    for (std::int64_t& supply : supplies) supply *= scaled.each;
    return {.forest = pack_trees(without_switches(scaled.capacities, supplies, ways), supplies),
            .optimum = optimum_,
            .achieved = scaled.factor() / measured_.unit};
  }

 private:
  MeasuredCapacities measured_;
  Capacities capacities_;
  Supplies supplies_;
  NarrowCut narrowest_;
  double optimum_;
};

// Bytes that some rank sends, or gets, for each byte of supply.
double greatest_at_rank(const Forest& forest, int ranks) {
  std::vector<std::int64_t> sent(static_cast<std::size_t>(ranks));
  std::vector<std::int64_t> got(static_cast<std::size_t>(ranks));
  for (const Tree& tree : forest.trees) {
    for (const TreeEdge& edge : tree.edges) {
      sent[static_cast<std::size_t>(edge.from)] += tree.parts;
      got[static_cast<std::size_t>(edge.to)] += tree.parts;
    }
  }
  const std::int64_t most =
      std::max(*std::max_element(sent.begin(), sent.end()), *std::max_element(got.begin(), got.end()));
  return static_cast<double>(most) / static_cast<double>(forest.each);
}

// Trees that are found for links alone.
PricedForest packed_into_links(const View& view, const SynthesisRequest& wish, const Topology& topology,
                               const Machine& machine, bool turned) {
  const std::vector<Way> ways = topology.nodes() > topology.ranks() ? own_ways(topology, turned) : std::vector<Way>();
  PricedForest best = view.packed(wish.most_trees, ways);
  const auto time = [&](const Forest& forest) { return time_by_routes(forest, topology, machine, turned); };
  // Routes that are too narrow for all that has to be told may leave worse ways than a network that knows of none. Such
  // a network may also have lower trees, whose messages take no more of the links.
  if (!ways.empty()) {
    PricedForest other = view.packed(wish.most_trees, {});
    const auto links = [&](const Forest& forest) { return parts_by_routes(forest, topology, turned); };
    const bool lower = time(other.forest) <= time(best.forest) * alike && links(other.forest) <= links(best.forest) &&
                       other.forest.depth() < best.forest.depth();
    if (lower || time(other.forest) * alike < time(best.forest)) best = std::move(other);
  }
  if (!has_root(wish.collective)) return best;
  // A rank has one edge down in one tree that needs all of its links; in several, it has more of one and none of
  // others.
  const std::int64_t most_times = wish.most_trees / best.forest.each;
  for (std::int64_t finer = 2; finer <= most_times; finer *= 2) {
    PricedForest other = view.packed(wish.most_trees, ways, finer);
    if (other.forest.depth() < best.forest.depth() && time(other.forest) <= time(best.forest) * alike)
      best = std::move(other);
  }
  return best;
}

// Edges of one depth after the other.
double time_in_one_chunk(const Forest& forest, const SynthesisRequest& wish, const Topology& topology,
                         const Machine& machine, bool turned) {
  double time = 0;
  for (int depth = 1; depth <= forest.depth(); ++depth) {
    Forest level = forest;
    for (Tree& tree : level.trees) std::erase_if(tree.edges, [&](const TreeEdge& edge) { return edge.depth != depth; });
    time += std::max(time_by_routes(level, topology, machine, turned),
                     wish.injection * greatest_at_rank(level, topology.ranks()));
  }
  return time;
}

// A number of chunks, and what is lost with it to waiting and starting.
struct Chunking {
  double chunks = 1;
  double seconds = 0;
};

// In n chunks of trees of some depth links wait for `waited` / n, and n + depth - 1 messages follow one another.
Chunking best_chunking(double waited, int depth, double start) {
  const double chunks = start > 0 ? std::max(std::sqrt(waited / start), 1.0) : 1e9;
  return {chunks, waited / chunks + (start > 0 ? (chunks + depth - 1) * start : 0)};
}

// Trees of the links alone. Where every rank can tell all others itself, nothing has to be found, nobody waits for
// anybody, and messages are as few as they can be. Where ways round are as fast, all links are as full at each depth,
// so that one chunk does; other trees may be lower.
PricedForest of_links_alone(const SynthesisRequest& wish, const Topology& topology, const Machine& machine,
                            bool turned) {
  const View view(wish, topology, machine, turned);
  const auto bytes = static_cast<double>(wish.bytes);
  const auto lost = [&](const PricedForest& made) {
    const double in_one = time_in_one_chunk(made.forest, wish, topology, machine, turned);
    const double waited = std::max(0.0, in_one - made.achieved) * bytes;
    return best_chunking(waited, made.forest.depth(), machine.ts).seconds + (made.achieved - made.optimum) * bytes;
  };
  std::optional<PricedForest> best;
  visit_known_forests(wish, topology.ranks(), [&](Forest forest) {
    if (time_by_routes(forest, topology, machine, turned) > view.optimum() * alike) return;
    PricedForest known{.forest = std::move(forest), .optimum = view.optimum(), .achieved = view.optimum()};
    if (!best || lost(known) < lost(*best)) best = std::move(known);
  });
  // Part of the time that is not worth a search for other trees.
  constexpr double little = 0.005;
  if (best && (best->forest.depth() == 1 || lost(*best) <= little * view.optimum() * bytes)) return *best;
  PricedForest packed = packed_into_links(view, wish, topology, machine, turned);
  return best && lost(*best) <= lost(packed) ? *best : packed;
}

// Limits may leave trees of the links alone as good as those that know them; then the former are taken: they pass by no
// rank that could have taken part, and their messages have shorter ways.
PricedForest one_way(const SynthesisRequest& wish, const Topology& topology, const Machine& machine, bool turned) {
  PricedForest of_links = of_links_alone(wish, topology, machine, turned);
  if (wish.injection <= 0) return of_links;
  const View limited(wish, *with_injection(topology, machine, wish.injection), machine, turned);
  const double limit = wish.injection * greatest_at_rank(of_links.forest, topology.ranks());
  of_links.achieved = std::max(of_links.achieved, limit);
  of_links.optimum = limited.optimum();
  if (of_links.achieved <= limited.optimum() * alike) return of_links;
  const PricedForest of_both = limited.packed(wish.most_trees, {});
  return of_links.achieved <= of_both.achieved * alike ? of_links : of_both;
}

// Whether something goes down trees.
bool gathers(Collective collective) { return !reduces(collective) || collective == Collective::all_reduce; }

// Returns the share of each root in all that there is to tell: of an all-reduce all data is p parts, each told as a
// block is.
double share_of_each(Collective collective, int ranks) {
  return collective == Collective::all_reduce ? 1.0 / ranks : 1;
}

// Whether trees down are as good as trees up.
bool is_good_both_ways(const Forest& down, const Topology& topology, const Machine& machine) {
  const Capacities capacities = capacities_of(topology, machine).capacities;
  return capacities == capacities.reversed() &&
         time_by_routes(down, topology, machine, true) <= time_by_routes(down, topology, machine, false) * alike;
}

}  // namespace

std::span<const Collective> collectives() { return synthesized; }

Synthesis synthesize(const SynthesisRequest& wish, const Topology& topology, const Machine& machine) {
  if (std::find(synthesized.begin(), synthesized.end(), wish.collective) == synthesized.end()) {
    std::vector<std::string_view> names;
    for (const Collective collective : synthesized) names.push_back(name_of(collective));
    for (const Collective collective : pair_collectives()) names.push_back(name_of(collective));
    fail(ErrorCode::unsupported, "schedules are synthesized for {}, not for {}", fmt::join(names, ", "),
         name_of(wish.collective));
  }
  Synthesis synthesis;
  if (topology.ranks() == 1) return synthesis;
  const double share = share_of_each(wish.collective, topology.ranks());
  const auto add = [&](const PricedForest& direction, Forest& forest) {
    forest = direction.forest;
    synthesis.optimum += direction.optimum * share;
    synthesis.achieved += direction.achieved * share;
    synthesis.one_chunk += direction.one_chunk * share;
  };
  const auto packed = [&](bool turned) {
    PricedForest direction = one_way(wish, topology, machine, turned);
    direction.one_chunk = time_in_one_chunk(direction.forest, wish, topology, machine, turned);
    return direction;
  };
  std::optional<PricedForest> down;
  if (gathers(wish.collective)) add(*(down = packed(false)), synthesis.trees.down);
  if (!reduces(wish.collective)) return synthesis;
  const bool again = down && is_good_both_ways(down->forest, topology, machine);
  add(again ? *down : packed(true), synthesis.trees.up);
  return synthesis;
}

std::vector<Synthesis> with_low_trees(const SynthesisRequest& wish, const Topology& topology, const Machine& machine) {
  const int ranks = topology.ranks();
  const auto made_of = [&](const Forest& forest) {
    Synthesis made;
    const auto add = [&](Forest& trees, bool turned) {
      trees = forest;
      const double share = share_of_each(wish.collective, ranks);
      made.achieved += share * std::max(time_by_routes(forest, topology, machine, turned),
                                        wish.injection * greatest_at_rank(forest, ranks));
      made.one_chunk += share * time_in_one_chunk(forest, wish, topology, machine, turned);
    };
    if (gathers(wish.collective)) add(made.trees.down, false);
    if (reduces(wish.collective)) add(made.trees.up, true);
    return made;
  };
  std::vector<Synthesis> found;
  visit_low_forests(wish, ranks, [&](const Forest& forest) { found.push_back(made_of(forest)); });
  return found;
}

std::int64_t best_chunks(const Synthesis& synthesis, const Problem& problem, std::int64_t bytes,
                         const Machine& machine) {
  constexpr std::int64_t most_slices = std::int64_t{1} << 20;
  // Simulations of more take long, and what further chunks gain is little.
  constexpr std::int64_t most_messages = 128 * 1024;
  const auto& [up, down] = synthesis.trees;
  std::int64_t edges = 1;
  std::int64_t messages = 1;  // a round
  for (const Forest* forest : {&up, &down}) {
    std::set<std::tuple<int, int, int>> sent;
    for (std::size_t k = 0; k < forest->trees.size(); ++k) {
      const Tree& tree = forest->trees[k];
      edges += static_cast<std::int64_t>(tree.edges.size());
      for (const TreeEdge& edge : tree.edges) sent.emplace(edge.from, edge.to, lane_of(k, problem));
    }
    messages += static_cast<std::int64_t>(sent.size());
  }
  const std::int64_t blocks = problem.collective == Collective::all_reduce ? problem.ranks : 1;
  const std::int64_t most =
      std::min({bytes / blocks / std::max(up.each, down.each), most_slices / edges, most_messages / messages});
  const double waited = std::max(0.0, synthesis.one_chunk - synthesis.achieved) * static_cast<double>(bytes);
  const double start =
      machine.ts * (up.trees.empty() || down.trees.empty() ? 1 : 2);  // start-up of a chunk, up and down
  const double best = best_chunking(waited, 1, start).chunks;
  return std::clamp<std::int64_t>(std::llround(std::min(best, 1e9)), 1, std::max<std::int64_t>(most, 1));
}

}  // namespace tutti::synthesize
