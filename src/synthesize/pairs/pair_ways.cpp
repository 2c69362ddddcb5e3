/// @file
/// Shares by ways that are found one after the other, each the cheapest where links that others have filled cost more.

#include <algorithm>
#include <cmath>
#include <limits>

#include "synthesize/pairs/pair_synthesis.hpp"

namespace tutti::synthesize {
namespace {

/// Messages between ranks, and how full they have made the links.
class Fillings {
 public:
  explicit Fillings(Hops hops) : hops_(std::move(hops)), carried_(hops_.times.size()) {
    hop_at_.assign(static_cast<std::size_t>(hops_.ranks) * static_cast<std::size_t>(hops_.ranks), -1);
    for (std::size_t k = 0; k < hops_.hops.size(); ++k)
      hop_at_[place(hops_.hops[k].from, hops_.hops[k].to)] = static_cast<int>(k);
  }

  int ranks() const { return hops_.ranks; }

  double fullest() const {
    double most = 0;
    for (std::size_t link = 0; link < carried_.size(); ++link)
      most = std::max(most, carried_[link] * hops_.times[link]);
    return most;
  }

  /// Sets the prices of messages: links cost the more the fuller they are, as steeply as that, and all of them
  /// something, so that no way is long without need. With 0 the way of the least load counts, and the emptier where
  /// several are.
  void price(double steep) {
    constexpr double by_itself = 0.05;
    const double most = fullest();
    std::vector<double> each = hops_.times;
    double slowest = 0;
    for (std::size_t link = 0; link < each.size(); ++link) {
      slowest = std::max(slowest, each[link]);
      const double full = most > 0 ? carried_[link] * hops_.times[link] / most : 0;
      each[link] *= by_itself + (steep > 0 ? std::exp(steep * (full - 1)) : by_itself * full);
    }
    prices_.assign(hops_.hops.size(), 0.01 * by_itself * slowest);
    for (std::size_t k = 0; k < prices_.size(); ++k) {
      for (const int link : hops_.hops[k].takes) prices_[k] += each[static_cast<std::size_t>(link)];
    }
  }

  /// For each rank the one before it on the cheapest way from the source.
  std::vector<int> ways_from(int source) const {
    const auto n = static_cast<std::size_t>(hops_.ranks);
    std::vector<double> costs(n, std::numeric_limits<double>::infinity());
    std::vector<int> before(n, -1);
    std::vector<char> done(n);
    costs[static_cast<std::size_t>(source)] = 0;
    for (std::size_t settled = 0; settled < n; ++settled) {
      int next = -1;
      for (int rank = 0; rank < hops_.ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        if (!done[at] && (next < 0 || costs[at] < costs[static_cast<std::size_t>(next)])) next = rank;
      }
      if (next < 0) break;
      done[static_cast<std::size_t>(next)] = 1;
      for (int to = 0; to < hops_.ranks; ++to) {
        const int hop = hop_at_[place(next, to)];
        if (hop < 0 || done[static_cast<std::size_t>(to)]) continue;
        const double cost = costs[static_cast<std::size_t>(next)] + prices_[static_cast<std::size_t>(hop)];
        if (cost >= costs[static_cast<std::size_t>(to)]) continue;
        costs[static_cast<std::size_t>(to)] = cost;
        before[static_cast<std::size_t>(to)] = next;
      }
    }
    return before;
  }

  void carry(const std::vector<int>& way, double part) {
    for (std::size_t k = 1; k < way.size(); ++k) {
      const auto hop = static_cast<std::size_t>(hop_at_[place(way[k - 1], way[k])]);
      for (const int link : hops_.hops[hop].takes) carried_[static_cast<std::size_t>(link)] += part;
    }
  }

 private:
  std::size_t place(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(hops_.ranks) + static_cast<std::size_t>(to);
  }

  Hops hops_;
  std::vector<int> hop_at_;      // by ranks; -1: no message
  std::vector<double> carried_;  // blocks over each link or limit
  std::vector<double> prices_;
};

std::vector<int> way_to(int to, const std::vector<int>& before) {
  std::vector<int> way{to};
  while (before[static_cast<std::size_t>(way.back())] >= 0) way.push_back(before[static_cast<std::size_t>(way.back())]);
  std::reverse(way.begin(), way.end());
  return way;
}

/// Shares that are given ways together, all of one source.
using Batch = std::vector<Share>;

// Returns the shares of each source together; those of a single source one by one, in quarters of blocks, because they
// are few.
std::vector<Batch> batches_of(const std::vector<int>& sources, int ranks) {
  std::vector<Batch> batches;
  const int parts = sources.size() == 1 ? 4 : 1;
  for (int part = 0; part < parts; ++part) {
    for (const int source : sources) {
      if (parts == 1) batches.emplace_back();
      for (int step = 1; step < ranks; ++step) {
        if (parts > 1) batches.emplace_back();
        const double begin = static_cast<double>(part) / parts;
        batches.back().push_back({source, (source + step) % ranks, begin, (part + 1.0) / parts, {}, {}});
      }
    }
  }
  return batches;
}

// Gives every share the cheapest way, where all others have theirs.
void take_ways(std::vector<Batch>& batches, Fillings& links, double steep) {
  for (Batch& batch : batches) {
    for (const Share& share : batch) links.carry(share.way, share.begin - share.end);
    links.price(steep);
    const std::vector<int> before = links.ways_from(batch.front().from);
    for (Share& share : batch) {
      share.way = way_to(share.to, before);
      links.carry(share.way, share.end - share.begin);
    }
  }
}

}  // namespace

PairSynthesis pairs_by_ways(const SynthesisRequest& wish, const Topology& topology, const Machine& machine) {
  const std::vector<int> sources = sources_of(wish, topology.ranks());
  Fillings links(hops_on(topology, machine, wish.injection, wish.collective == Collective::gather));
  std::vector<Batch> batches = batches_of(sources, topology.ranks());
  take_ways(batches, links, 0);
  PairSynthesis made;
  const auto keep = [&] {
    made.achieved = links.fullest();
    made.shares.clear();
    for (const Batch& batch : batches) made.shares.insert(made.shares.end(), batch.begin(), batch.end());
  };
  keep();
  for (const double steep : {4.0, 8.0, 8.0, 16.0}) {
    take_ways(batches, links, steep);
    if (links.fullest() < made.achieved * (1 - 1e-9)) keep();
  }
  return made;
}

}  // namespace tutti::synthesize
