/// @file
/// Shares by linear programs.

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "synthesize/pairs/linear_program.hpp"
#include "synthesize/pairs/pair_synthesis.hpp"
#include "topology/injected.hpp"

namespace tutti::synthesize {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// A multi-commodity flow: each source sends one unit to every other rank, over arcs that share what they take.
class MultiCommodityFlow {
 public:
  /// `times`: seconds a byte of what arcs take.
  MultiCommodityFlow(int ranks, int nodes, std::vector<int> sources, const std::vector<double>& times)
      : ranks_(ranks), nodes_(nodes), sources_(std::move(sources)) {
    unit_ = *std::max_element(times.begin(), times.end());
    std::vector<std::pair<int, double>> all;
    for (const double time : times) {
      factors_.push_back(unit_ > 0 ? time / unit_ : 0);
      if (time > 0) all.emplace_back(program_.quantities(), -1.0);
      rows_.push_back(time > 0 ? program_.add_row(-no_limit, 0) : -1);
      if (time > 0) all.back().first = rows_.back();
    }
    fullest_ = program_.add_quantity(1, all);
    for (const int source : sources_) {
      std::vector<int>& balances = balances_.emplace_back();
      for (int node = 0; node < nodes_; ++node) {
        const double arrives = node < ranks_ ? 1 : 0;
        balances.push_back(node == source ? -1 : program_.add_row(arrives, arrives));
      }
    }
  }

  /// An arc that takes those of the times. Returns its number.
  int add_arc(int from, int to, const std::vector<int>& takes) {
    // The flow over the fewest arcs is taken of those that are as good, and none goes round in a circle.
    constexpr double cost_of_an_arc = 1e-6;
    std::vector<int>& quantities = arcs_.emplace_back();
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      quantities.push_back(-1);
      if (to == sources_[k]) continue;
      std::vector<std::pair<int, double>> factors{{balances_[k][static_cast<std::size_t>(to)], 1}};
      if (from != sources_[k]) factors.emplace_back(balances_[k][static_cast<std::size_t>(from)], -1);
      for (const int taken : takes) {
        const auto at = static_cast<std::size_t>(taken);
        if (rows_[at] >= 0) factors.emplace_back(rows_[at], factors_[at]);
      }
      quantities.back() = program_.add_quantity(cost_of_an_arc, factors);
    }
    return static_cast<int>(arcs_.size()) - 1;
  }

  void solve() { found_ = program_.solve(); }
  /// Seconds a byte for what is fullest.
  double fullest() const { return found_[static_cast<std::size_t>(fullest_)] * unit_; }
  double flow(int arc, std::size_t source) const {
    const int quantity = arcs_[static_cast<std::size_t>(arc)][source];
    return quantity < 0 ? 0 : std::max(found_[static_cast<std::size_t>(quantity)], 0.0);
  }

 private:
  int ranks_;
  int nodes_;
  std::vector<int> sources_;
  double unit_ = 1;
  LinearProgram program_;
  int fullest_ = 0;
  std::vector<double> factors_;             // by time: of the greatest
  std::vector<int> rows_;                   // by time; -1: it takes none
  std::vector<std::vector<int>> balances_;  // by source and node
  std::vector<std::vector<int>> arcs_;      // by arc and source: the quantity
  std::vector<double> found_;
};

/// The flow from one source, between ranks.
class Matrix {
 public:
  explicit Matrix(int ranks)
      : ranks_(ranks), each_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}
  double& at(int from, int to) {
    return each_[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(to)];
  }
  /// The rank from which most flows to this one.
  int fullest_before(int to) {
    int best = to == 0 ? 1 : 0;
    for (int from = 0; from < ranks_; ++from) {
      if (from != to && at(from, to) > at(best, to)) best = from;
    }
    return best;
  }

 private:
  int ranks_;
  std::vector<double> each_;
};

// Takes a way that brings `to` at most `amount` from the flow; how much it brings is left in `amount`.
std::vector<int> way_taken(Matrix& flow, int source, int to, double& amount) {
  std::vector<int> way{to};
  while (way.back() != source) {
    const int before = flow.fullest_before(way.back());
    amount = std::min(amount, flow.at(before, way.back()));
    way.push_back(before);
  }
  for (std::size_t k = 1; k < way.size(); ++k) flow.at(way[k], way[k - 1]) -= amount;
  std::reverse(way.begin(), way.end());
  return way;
}

// The shares of one block. What is less than a thousandth of it is left to the greatest of them.
std::vector<Share> shares_of_block(Matrix& flow, int source, int to) {
  constexpr double least = 1e-3;
  std::vector<std::pair<double, std::vector<int>>> ways;
  double left = 1;
  while (left > least) {
    double amount = left;
    std::vector<int> way = way_taken(flow, source, to, amount);
    if (amount <= 1e-9 && !ways.empty()) break;
    if (amount >= least || ways.empty()) ways.emplace_back(amount, std::move(way));
    left -= std::max(amount, 1e-9);
  }
  double sum = 0;
  for (const auto& [amount, way] : ways) sum += amount;
  std::vector<Share> shares;
  double begin = 0;
  for (auto& [amount, way] : ways) {
    const double end = &way == &ways.back().second ? 1 : begin + amount / sum;
    std::vector<int> rounds;
    for (int edge = 0; edge + 1 < static_cast<int>(way.size()); ++edge) rounds.push_back(edge);
    shares.push_back({source, to, begin, end, std::move(way), std::move(rounds)});
    begin = end;
  }
  return shares;
}

// The least that flows over the links themselves take, whatever ways they take.
double optimum_on(const Topology& topology, const Machine& machine, const std::vector<int>& sources, bool turned) {
  std::vector<double> times;
  for (LinkId id = 0; id < topology.links(); ++id) times.push_back(link_time(machine, topology, id));
  MultiCommodityFlow flow(topology.ranks(), topology.nodes(), sources, times);
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (!leads_somewhere(topology, id)) continue;
    const Link link = topology.link(id);
    flow.add_arc(turned ? link.to : link.from, turned ? link.from : link.to, {static_cast<int>(id)});
  }
  flow.solve();
  return flow.fullest();
}

}  // namespace

PairSynthesis pairs_by_flows(const SynthesisRequest& wish, const Topology& topology, const Machine& machine) {
  const bool turned = wish.collective == Collective::gather;
  const std::vector<int> sources = sources_of(wish, topology.ranks());
  const Hops hops = hops_on(topology, machine, wish.injection, turned);
  MultiCommodityFlow flow(hops.ranks, hops.ranks, sources, hops.times);
  for (const RoutedHop& hop : hops.hops) flow.add_arc(hop.from, hop.to, hop.takes);
  flow.solve();
  PairSynthesis made{.shares = {}, .achieved = flow.fullest()};
  for (std::size_t k = 0; k < sources.size(); ++k) {
    Matrix matrix(hops.ranks);
    for (std::size_t arc = 0; arc < hops.hops.size(); ++arc)
      matrix.at(hops.hops[arc].from, hops.hops[arc].to) += flow.flow(static_cast<int>(arc), k);
    for (int step = 1; step < hops.ranks; ++step) {
      const int to = (sources[k] + step) % hops.ranks;
      for (Share& share : shares_of_block(matrix, sources[k], to)) made.shares.push_back(std::move(share));
    }
  }
  const TopologyPtr limited = wish.injection > 0 ? with_injection(topology, machine, wish.injection) : nullptr;
  made.optimum = optimum_on(limited ? *limited : topology, machine, sources, turned);
  made.in_chunks = made.rounds() > 1;
  return made;
}

}  // namespace tutti::synthesize
