#include "schedule/combinators/hierarchy.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tutti {
namespace {

/// Recorder and claims of one form of the hierarchy.
struct Form {
  void (*record)(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across);
  Claims (*claims)(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                   const Parameters& parameters, const Layout& layout);
};

Form form_of(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::all_reduce:
    case Collective::barrier:
      return {hierarchical_whole, hierarchical_whole_claims};
    case Collective::all_gather:
    case Collective::scatter:
      return {hierarchical_blocks, hierarchical_blocks_claims};
    case Collective::scan:
    case Collective::exclusive_scan:
      return {hierarchical_scan, hierarchical_scan_claims};
    case Collective::all_to_all:
      return {hierarchical_exchange, hierarchical_exchange_claims};
    default:
      fail(ErrorCode::internal, "{} is not made of algorithms inside and across nodes", name_of(collective));
  }
}

}  // namespace

Hierarchy::Hierarchy(const Layout& layout, const Problem& problem, LeaderCount leaders)
    : layout_(&layout), ranks_(problem.ranks) {
  if (layout.nodes() == 1 && layout.size() > 0) own_ = layout.outermost_level();
  const bool scans = problem.collective == Collective::scan || problem.collective == Collective::exclusive_scan;
  const bool order_matters = scans || !problem.commutative;
  if (!order_matters || level().has_consecutive_ranks()) nodes_ = level().nodes();
  if (leaders == LeaderCount::many) {
    leaders_ = size(0);
    for (int node = 1; node < nodes_; ++node) leaders_ = std::min(leaders_, size(node));
  }
  if (leaders_ == 1 && has_root(problem.collective)) root_ = problem.root;
}

int Hierarchy::place_of(int rank) const {
  if (nodes_ == 1) return rank;
  const std::span<const int> all = members(node_of(rank));
  return static_cast<int>(std::lower_bound(all.begin(), all.end(), rank) - all.begin());
}

int Hierarchy::rank_at(int node, int place) const {
  return nodes_ == 1 ? place : members(node)[static_cast<std::size_t>(place)];
}

std::span<const int> Hierarchy::team(int node, int number) const {
  const int begin = team_begin(node, number);
  return members(node).subspan(static_cast<std::size_t>(begin),
                               static_cast<std::size_t>(team_begin(node, number + 1) - begin));
}

int Hierarchy::team_of(int rank) const {
  const int node = node_of(rank);
  const int place = place_of(rank);
  // Teams differ by one rank at most, the larger ones first.
  auto number = static_cast<int>(std::int64_t{place} * leaders_ / size(node));
  while (number + 1 < leaders_ && team_begin(node, number + 1) <= place) ++number;
  while (team_begin(node, number) > place) --number;
  return number;
}

int Hierarchy::leader_place(int node, int team) const {
  if (root_ >= 0 && node_of(root_) == node) return place_of(root_);
  return team_begin(node, team);
}

bool Hierarchy::teams_are_alike(int team, int other) const {
  for (int node = 0; node < nodes_; ++node) {
    const auto count = [&](int number) { return team_begin(node, number + 1) - team_begin(node, number); };
    if (count(team) != count(other)) return false;
  }
  return true;
}

Stage Hierarchy::inside(const Script& me, Problem problem) const {
  const int node = node_of(me.rank());
  problem.ranks = size(node);
  Stage stage{.problem = std::move(problem), .parameters = inner(me.parameters()), .rank = place_of(me.rank())};
  if (nodes_ > 1) stage.ranks = members(node);
  return stage;
}

std::vector<int> Hierarchy::leaders_of(int team) const {
  std::vector<int> ranks;
  ranks.reserve(static_cast<std::size_t>(nodes_));
  for (int node = 0; node < nodes_; ++node) ranks.push_back(leader(node, team));
  return ranks;
}

Stage Hierarchy::across(const Script& me, Problem problem, std::vector<int>& among) const {
  problem.ranks = nodes_;
  among = leaders_of(team_of(me.rank()));
  Stage stage{.problem = std::move(problem), .parameters = inner(me.parameters()), .rank = node_of(me.rank())};
  stage.ranks = among;
  return stage;
}

Problem Hierarchy::dealing(const Problem& problem, Collective collective, int node, const Blocks& parts) const {
  Problem dealt = on_message(problem, collective, parts.total());
  dealt.ranks = size(node);
  if (dealt.ranks == leaders_) {
    dealt.count = parts.total() / leaders_;
    dealt.extra = parts.total() % leaders_;
    return dealt;
  }
  dealt.count = 0;
  dealt.counts.assign(static_cast<std::size_t>(dealt.ranks), 0);
  for (int team = 0; team < leaders_; ++team)
    dealt.counts[static_cast<std::size_t>(leader_place(node, team))] = parts.count(team);
  return dealt;
}

Problem on_message(const Problem& problem, Collective collective, std::int64_t count) {
  return {.collective = collective, .count = count, .commutative = problem.commutative};
}

Problem on_blocks(const Problem& problem, Collective collective, std::vector<std::int64_t> counts) {
  Problem result = on_message(problem, collective, 0);
  result.ranks = static_cast<int>(counts.size());
  result.counts = std::move(counts);
  return result;
}

Parameters inner(Parameters parameters) {
  parameters.grid = {};
  return parameters;
}

StageClaims::StageClaims(const Hierarchy& hierarchy, const Parameters& parameters, const Layout& layout,
                         Problems problems)
    : hierarchy_(hierarchy), inner_(inner(parameters)), layout_(layout), problems_(problems) {}

Claims StageClaims::inside(const Algorithm& algorithm, int node, Problem problem) const {
  problem.ranks = hierarchy_.size(node);
  if (hierarchy_.nodes() == 1) return algorithm.claims(problem, inner_, layout_);
  if (!algorithm.claims.looks_at_layout()) return algorithm.claims(problem, inner_);
  return algorithm.claims(problem, inner_, layout_.of(hierarchy_.members(node)));
}

Claims StageClaims::across(const Algorithm& algorithm, int team, Problem problem) const {
  problem.ranks = hierarchy_.nodes();
  if (!algorithm.claims.looks_at_layout()) return algorithm.claims(problem, inner_);
  return algorithm.claims(problem, inner_, layout_.of(hierarchy_.leaders_of(team)));
}

void StageClaims::beside(Claims& all, const Claims& one) {
  all.rounds = std::max(all.rounds, one.rounds);
  all.messages += one.messages;
  all.elements += one.elements;
}

void StageClaims::add(const Claims& next) {
  sum_.rounds += next.rounds;
  sum_.messages += next.messages;
  sum_.elements += next.elements;
}

Record hierarchical(InsideNodes inside, const Algorithm& across) {
  return [inside, &across](Script& me, const Problem& problem) {
    form_of(problem.collective).record(me, problem, inside, across);
  };
}

Claims hierarchical_claims(InsideNodes inside, const Algorithm& across, const Problem& problem,
                           const Parameters& parameters, const Layout& layout) {
  return form_of(problem.collective).claims(inside, across, problem, parameters, layout);
}

}  // namespace tutti
