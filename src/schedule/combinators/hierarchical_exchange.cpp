/// @file
/// Hierarchy for all-to-all: a rank hands what goes to another node to that leader of its own node whose team is the
/// destination's; leaders exchange what their teams get; and deal it out in their teams.

#include <algorithm>
#include <iterator>
#include <optional>

#include "schedule/combinators/hierarchy.hpp"
#include "schedule/record/append.hpp"
#include "schedule/record/phases.hpp"

namespace tutti {
namespace {

/// Numbers of elements by origin and destination.
class ExchangeFlows {
 public:
  ExchangeFlows(const Hierarchy& hierarchy, const Problem& problem)
      : hierarchy_(hierarchy), problem_(problem), is_even_(problem.counts.empty()) {
    for (int team = 0; team < hierarchy.leaders() && is_even_; ++team) {
      std::int64_t& ranks = in_teams_.emplace_back(0);
      for (int node = 0; node < hierarchy.nodes(); ++node) ranks += ranks_in(hierarchy.team(node, team));
    }
  }

  /// From one rank to some.
  std::int64_t to(int origin, std::span<const int> destinations) const {
    if (is_even_) return problem_.count * ranks_in(destinations);
    std::int64_t sum = 0;
    for (const int destination : destinations) sum += problem_.pair_count(origin, destination);
    return sum;
  }
  /// From all ranks of a node to some.
  std::int64_t from_node(int node, std::span<const int> destinations) const {
    const std::span<const int> origins = hierarchy_.members(node);
    if (is_even_) return problem_.count * ranks_in(origins) * ranks_in(destinations);
    std::int64_t sum = 0;
    for (const int origin : origins) sum += to(origin, destinations);
    return sum;
  }
  /// From one rank to the teams of that number on other nodes than its own.
  std::int64_t abroad(int origin, int team) const {
    const int home = hierarchy_.node_of(origin);
    if (is_even_) {
      const std::int64_t ranks = in_teams_[static_cast<std::size_t>(team)] - ranks_in(hierarchy_.team(home, team));
      return problem_.count * ranks;
    }
    std::int64_t sum = 0;
    for (int node = 0; node < hierarchy_.nodes(); ++node) {
      if (node != home) sum += to(origin, hierarchy_.team(node, team));
    }
    return sum;
  }
  /// From all ranks of other nodes to one.
  std::int64_t from_abroad(int destination) const {
    std::int64_t sum = 0;
    const int home = hierarchy_.node_of(destination);
    for (int node = 0; node < hierarchy_.nodes(); ++node) {
      if (node != home) sum += from_node(node, {&destination, 1});
    }
    return sum;
  }

  /// On a node: what is for a rank of it, and at leaders what they pass on.
  Problem inside(int node) const {
    const std::span<const int> members = hierarchy_.members(node);
    std::vector<std::optional<int>> led;  // the team that each of them leads, if any
    for (const int rank : members)
      led.push_back(hierarchy_.leads(rank) ? std::optional(hierarchy_.team_of(rank)) : std::nullopt);
    std::vector<std::int64_t> counts;
    counts.reserve(members.size() * members.size());
    for (const int origin : members) {
      if (is_even_ && !counts.empty()) {  // all ranks have the same
        std::copy_n(counts.begin(), members.size(), std::back_inserter(counts));
        continue;
      }
      for (std::size_t k = 0; k < members.size(); ++k)
        counts.push_back(problem_.pair_count(origin, members[k]) + (led[k] ? abroad(origin, *led[k]) : 0));
    }
    return exchange(static_cast<int>(members.size()), std::move(counts));
  }
  /// Among the leaders of the teams of that number.
  Problem across(int team) const {
    std::vector<std::span<const int>> teams;
    for (int node = 0; node < hierarchy_.nodes(); ++node) teams.push_back(hierarchy_.team(node, team));
    std::vector<std::int64_t> counts;
    counts.reserve(teams.size() * teams.size());
    for (int from = 0; from < hierarchy_.nodes(); ++from) {
      for (int node = 0; node < hierarchy_.nodes(); ++node) {
        counts.push_back(node == from ? 0 : from_node(from, teams[static_cast<std::size_t>(node)]));
      }
    }
    return exchange(hierarchy_.nodes(), std::move(counts));
  }
  /// In a team: what has come from other nodes. The leader has its own.
  Problem in_team(int node, int team) const {
    std::vector<std::int64_t> counts;
    for (const int rank : hierarchy_.team(node, team)) counts.push_back(hierarchy_.leads(rank) ? 0 : from_abroad(rank));
    return on_blocks(problem_, Collective::scatter, std::move(counts));
  }

 private:
  Problem exchange(int ranks, std::vector<std::int64_t> counts) const {
    Problem result = on_message(problem_, Collective::all_to_all, 0);
    result.ranks = ranks;
    result.counts = std::move(counts);
    return result;
  }

  static std::int64_t ranks_in(std::span<const int> ranks) { return static_cast<std::int64_t>(ranks.size()); }

  const Hierarchy& hierarchy_;
  const Problem& problem_;
  bool is_even_;                        // every rank has as much for every other
  std::vector<std::int64_t> in_teams_;  // elements for the ranks in the teams of each number, on all nodes
};

/// One rank's part. What its node's ranks hand to a leader lies in its scratch, rank after rank; behind that what has
/// come for its team, destination after destination.
class NodeExchange {
 public:
  NodeExchange(Script& me, const Problem& problem, const Hierarchy& hierarchy)
      : me_(me),
        hierarchy_(hierarchy),
        problem_(problem),
        flows_(hierarchy, problem),
        node_(hierarchy.node_of(me.rank())),
        number_(hierarchy.team_of(me.rank())),
        leads_(hierarchy.leads(me.rank())),
        team_(hierarchy.team(node_, number_)) {
    if (!leads_ || !has_places()) return;
    for (const int origin : hierarchy.members(node_)) handed_ += flows_.abroad(origin, number_);
    for (const int rank : team_) dealt_ += rank == me.rank() ? 0 : flows_.from_abroad(rank);
  }

  void run(const InsideNodes& inside, const Algorithm& across) {
    me_.phase(phase_inside(inside.first->collective, true));
    exchange_inside(*inside.first);
    me_.phase(phase_between(across.collective));
    if (leads_) exchange_across(across);
    me_.phase(phase_inside(inside.last->collective, false));
    if (team_.size() > 1) deal(*inside.last);
  }

 private:
  bool has_places() const { return me_.detail() == Detail::all; }

  void exchange_inside(const Algorithm& algorithm) {
    Stage stage = hierarchy_.inside(me_, flows_.inside(node_));
    if (!has_places()) return perform(me_, algorithm.record, stage);
    std::int64_t at = 0;
    for (const int mate : hierarchy_.members(node_)) {
      append(stage.input, 0, me_.input(mate));
      if (hierarchy_.leads(mate)) add_abroad(stage.input, hierarchy_.team_of(mate));
      append(stage.output, 0, me_.output(mate));
      if (!leads_) continue;
      const std::int64_t count = flows_.abroad(mate, number_);
      append(stage.output, 0, me_.scratch(at, count));
      at += count;
    }
    stage.scratch_base = handed_ + dealt_;
    perform(me_, algorithm.record, stage);
  }

  void add_abroad(Message& message, int team) const {
    for (int node = 0; node < hierarchy_.nodes(); ++node) {
      if (node == node_) continue;
      for (const int destination : hierarchy_.team(node, team)) append(message, 0, me_.input(destination));
    }
  }

  void exchange_across(const Algorithm& algorithm) {
    std::vector<int> among;
    Stage stage = hierarchy_.across(me_, flows_.across(number_), among);
    if (!has_places()) return perform(me_, algorithm.record, stage);
    std::vector<std::int64_t> next_handed = handed_begins();
    std::vector<std::int64_t> next_dealt = dealt_begins();
    for (int node = 0; node < hierarchy_.nodes(); ++node) {
      if (node == node_) continue;
      const std::span<const int> home = hierarchy_.members(node_);
      for (std::size_t k = 0; k < home.size(); ++k) {
        const std::int64_t count = flows_.to(home[k], hierarchy_.team(node, number_));
        append(stage.input, 0, me_.scratch(next_handed[k], count));
        next_handed[k] += count;
      }
      for (const int origin : hierarchy_.members(node)) add_arrival(stage.output, origin, next_dealt);
    }
    stage.scratch_base = handed_ + dealt_;
    perform(me_, algorithm.record, stage);
  }

  // Adds the place of the blocks from one rank to this team: the leader's own in its output, the others' in scratch.
  void add_arrival(Message& message, int origin, std::vector<std::int64_t>& next) {
    for (std::size_t k = 0; k < team_.size(); ++k) {
      const std::int64_t count = problem_.pair_count(origin, team_[k]);
      if (team_[k] == me_.rank()) {
        append(message, 0, me_.output(origin));
      } else {
        append(message, 0, me_.scratch(next[k], count));
        next[k] += count;
      }
    }
  }

  void deal(const Algorithm& algorithm) {
    Stage stage{.problem = flows_.in_team(node_, number_)};
    stage.parameters = inner(me_.parameters());
    stage.rank = static_cast<int>(std::lower_bound(team_.begin(), team_.end(), me_.rank()) - team_.begin());
    stage.ranks = team_;
    if (!has_places()) return perform(me_, algorithm.record, stage);
    if (leads_) {
      stage.input = {me_.scratch(handed_, dealt_)};
    } else {
      for (int node = 0; node < hierarchy_.nodes(); ++node) {
        if (node == node_) continue;
        for (const int origin : hierarchy_.members(node)) append(stage.output, 0, me_.output(origin));
      }
    }
    stage.scratch_base = handed_ + dealt_;
    perform(me_, algorithm.record, stage);
  }

  std::vector<std::int64_t> handed_begins() const {
    std::vector<std::int64_t> begins;
    std::int64_t at = 0;
    for (const int mate : hierarchy_.members(node_)) {
      begins.push_back(at);
      at += flows_.abroad(mate, number_);
    }
    return begins;
  }
  std::vector<std::int64_t> dealt_begins() const {
    std::vector<std::int64_t> begins;
    std::int64_t at = handed_;
    for (const int rank : team_) {
      begins.push_back(at);
      at += rank == me_.rank() ? 0 : flows_.from_abroad(rank);
    }
    return begins;
  }

  Script& me_;
  const Hierarchy& hierarchy_;
  const Problem& problem_;
  ExchangeFlows flows_;
  int node_;
  int number_;
  bool leads_;
  std::span<const int> team_;
  std::int64_t handed_ = 0;
  std::int64_t dealt_ = 0;
};

}  // namespace

void hierarchical_exchange(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across) {
  const Hierarchy hierarchy(me.layout(), problem, LeaderCount::many);
  if (hierarchy.nodes() == 1) return inside.first->record(me, problem);
  NodeExchange(me, problem, hierarchy).run(inside, across);
}

Claims hierarchical_exchange_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                    const Parameters& parameters, const Layout& layout) {
  const Hierarchy hierarchy(layout, problem, LeaderCount::many);
  if (hierarchy.nodes() == 1) return inside.first->claims(problem, parameters, layout);
  const ExchangeFlows flows(hierarchy, problem);
  StageClaims claims(hierarchy, parameters, layout, problem.counts.empty() ? Problems::alike : Problems::differ);
  claims.inside(*inside.first, [&](int node) { return flows.inside(node); });
  claims.across(across, [&](int team) { return flows.across(team); });
  claims.in_teams(*inside.last, [&](int node, int team) { return flows.in_team(node, team); });
  return claims.sum();
}

}  // namespace tutti
