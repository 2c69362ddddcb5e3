#include "synthesize/pairs/pairs.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "synthesize/pairs/pair_synthesis.hpp"
#include "topology/cuts/capacities.hpp"

namespace tutti::synthesize {
namespace {

constexpr std::array of_pairs{Collective::all_to_all, Collective::scatter, Collective::gather};

// The way of what a rank has for the root, from that of what the root would have for it.
void turn_round(std::vector<Share>& shares) {
  for (Share& share : shares) {
    std::swap(share.from, share.to);
    std::reverse(share.way.begin(), share.way.end());
  }
}

void set_edges_as_rounds(Share& share) {
  share.rounds.resize(share.way.size() - 1);
  std::iota(share.rounds.begin(), share.rounds.end(), 0);
}

// Seconds of all chunks, one behind the other.
double estimate_of(const PairSynthesis& made, std::int64_t bytes, const Machine& machine) {
  const auto chunks = static_cast<double>(best_chunks(made, bytes, machine));
  return (chunks + made.rounds() - 1) * (machine.ts + made.achieved * static_cast<double>(bytes) / chunks);
}

void check_wish(const SynthesisRequest& wish, const Topology& topology) {
  if (std::find(of_pairs.begin(), of_pairs.end(), wish.collective) == of_pairs.end()) {
    std::vector<std::string_view> names;
    for (const Collective collective : of_pairs) names.push_back(name_of(collective));
    fail(ErrorCode::unsupported, "blocks from one rank to one other are those of {}, not of {}", fmt::join(names, ", "),
         name_of(wish.collective));
  }
  if (topology.ranks() > most_ranks_of_pairs)
    fail(ErrorCode::unsupported, "{} has {} ranks, and schedules of {} are made for at most {}; take a smaller network",
         topology.name(), topology.ranks(), name_of(wish.collective), most_ranks_of_pairs);
}

bool is_small_program(const SynthesisRequest& wish, int ranks) {
  constexpr int most_ranks = 16;
  constexpr int most_ranks_of_one = 64;
  return ranks <= (has_root(wish.collective) ? most_ranks_of_one : most_ranks);
}

}  // namespace

std::span<const Collective> pair_collectives() { return of_pairs; }

std::vector<int> sources_of(const SynthesisRequest& wish, int ranks) {
  if (has_root(wish.collective)) return {wish.root};
  std::vector<int> sources;
  for (int rank = 0; rank < ranks; ++rank) sources.push_back(rank);
  return sources;
}

PairSynthesis synthesize_pairs(const SynthesisRequest& wish, const Topology& topology, const Machine& machine) {
  check_wish(wish, topology);
  check_nodes(topology);
  if (topology.ranks() == 1) return {};
  const bool small = is_small_program(wish, topology.ranks());
  PairSynthesis made = small ? pairs_by_flows(wish, topology, machine) : pairs_by_ways(wish, topology, machine);
  if (wish.collective == Collective::gather) turn_round(made.shares);
  if (small) return made;
  // Chunks behind one another may leave links less idle than rounds do, where shares are few enough to be cut.
  PairSynthesis in_chunks = made;
  for (Share& share : in_chunks.shares) set_edges_as_rounds(share);
  in_chunks.in_chunks = in_chunks.rounds() > 1;
  made = in_chunks;
  made.in_chunks = false;
  const double coloured = colour(made, wish, topology, machine);
  return in_chunks.in_chunks && estimate_of(in_chunks, wish.bytes, machine) < coloured ? in_chunks : made;
}

PairSynthesis direct_pairs(const SynthesisRequest& wish, const Topology& topology, const Machine& machine) {
  check_wish(wish, topology);
  Machine by_hardware = machine;
  by_hardware.forwarding = Forwarding::hardware;
  const Hops hops = hops_on(topology, by_hardware, wish.injection, false);
  std::vector<double> carried(hops.times.size());
  PairSynthesis made;
  for (const RoutedHop& hop : hops.hops) {
    const bool is_asked = wish.collective == Collective::all_to_all ||
                          (wish.collective == Collective::scatter ? hop.from : hop.to) == wish.root;
    if (!is_asked) continue;
    made.shares.push_back({hop.from, hop.to, 0, 1, {hop.from, hop.to}, {0}});
    for (const int link : hop.takes) {
      double& time = carried[static_cast<std::size_t>(link)];
      time += hops.times[static_cast<std::size_t>(link)];
      made.achieved = std::max(made.achieved, time);
    }
  }
  return made;
}

std::int64_t best_chunks(const PairSynthesis& made, std::int64_t bytes, const Machine& machine) {
  // Simulations of more take long, and what further chunks gain is little.
  constexpr double most_slices = 1 << 18;
  constexpr double most_messages = 1 << 13;
  if (!made.in_chunks) return 1;
  double edges = 0;
  std::set<std::pair<int, int>> messages;
  for (const Share& share : made.shares) {
    edges += static_cast<double>(share.rounds.size());
    for (std::size_t k = 1; k < share.way.size(); ++k) messages.emplace(share.way[k - 1], share.way[k]);
  }
  const double waited = made.achieved * static_cast<double>(bytes) * (made.rounds() - 1);
  const double best = machine.ts > 0 ? std::sqrt(waited / machine.ts) : 1e9;
  const double most =
      std::min({static_cast<double>(bytes), most_slices / edges, most_messages / static_cast<double>(messages.size())});
  return std::max<std::int64_t>(std::llround(std::min(best, most)), 1);
}

}  // namespace tutti::synthesize
