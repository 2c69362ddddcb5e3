/// @file
/// The ranks of a problem as hierarchical() sees them: their nodes, and on each of them its leaders.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schedule/combinators/combinators.hpp"
#include "schedule/record/stage.hpp"

namespace tutti {

/// Number of leaders of a node.
enum class LeaderCount : std::uint8_t {
  one,   ///< its first rank; where a problem has a root, the root on its node
  many,  ///< one leader for each rank of the smallest node: if that node has one rank, this is `one`
};

/// Ranks over the parts of the outermost level at which they differ, which are called nodes here; one node where they
/// hold no consecutive ranks and the order matters. A node's ranks have
/// places from 0 on, ascending, and are cut into as many teams as it has leaders: the first of each team leads it.
class Hierarchy {
 public:
  /// The layout must outlive it.
  Hierarchy(const Layout& layout, const Problem& problem, LeaderCount leaders);

  int nodes() const { return nodes_; }
  int size(int node) const { return nodes_ == 1 ? ranks_ : static_cast<int>(level().ranks_on(node).size()); }
  int node_of(int rank) const { return nodes_ == 1 ? 0 : level().node_of(rank); }
  int place_of(int rank) const;
  int rank_at(int node, int place) const;
  /// The ranks of a node, by place. Needs several nodes.
  std::span<const int> members(int node) const { return level().ranks_on(node); }

  /// Returns how many leaders each node has.
  int leaders() const { return leaders_; }
  /// The ranks of a node's team. Needs several nodes.
  std::span<const int> team(int node, int number) const;
  int team_of(int rank) const;
  int leader(int node, int team) const { return rank_at(node, leader_place(node, team)); }
  int leader_place(int node, int team) const;
  /// Whether two nodes have as many ranks, with their leaders at the same places.
  bool are_alike(int node, int other) const {
    return size(node) == size(other) && leader_place(node, 0) == leader_place(other, 0);
  }
  /// Whether the teams of both numbers have as many ranks, on every node.
  bool teams_are_alike(int team, int other) const;
  /// Whether the rank leads its team.
  bool leads(int rank) const { return leader(node_of(rank), team_of(rank)) == rank; }

  /// The stage of this rank's node that solves `problem`, whose number of ranks is filled in; no views yet.
  Stage inside(const Script& me, Problem problem) const;
  /// Returns the leaders of the teams of that number, by node.
  std::vector<int> leaders_of(int team) const;
  /// The stage of the ranks that lead the team of this rank's number on every node; `among` keeps them.
  Stage across(const Script& me, Problem problem, std::vector<int>& among) const;

  /// Returns the problem in which `collective` deals parts of a message to the leaders of a node, or collects them.
  Problem dealing(const Problem& problem, Collective collective, int node, const Blocks& parts) const;

 private:
  const Layout& level() const { return own_ ? *own_ : *layout_; }
  /// The place on the node at which the team begins; that of the number leaders() is the node's end.
  int team_begin(int node, int number) const {
    return number * (size(node) / leaders_) + std::min(number, size(node) % leaders_);
  }

  const Layout* layout_;
  std::optional<Layout> own_;  // layout of a level below the nodes
  int ranks_;
  int nodes_ = 1;
  int leaders_ = 1;
  int root_ = -1;
};

/// A problem of `collective` on one message of `count` elements for a stage: the operator is that of `problem`, ranks
/// and root are to be filled in.
Problem on_message(const Problem& problem, Collective collective, std::int64_t count);
/// Returns the problem on blocks of those sizes, one for each rank of the stage.
Problem on_blocks(const Problem& problem, Collective collective, std::vector<std::int64_t> counts);

/// Whether nodes that are alike, and teams of as many ranks, have the same problems.
enum class Problems : std::uint8_t { differ, alike };

/// The claims of what is done in a stage of some ranks of `layout`. Those of problems that are alike are asked for
/// once.
class StageClaims {
 public:
  StageClaims(const Hierarchy& hierarchy, const Parameters& parameters, const Layout& layout, Problems problems);

  /// On every node, at the same time: of(node) is the problem.
  template <typename Of>
  void inside(const Algorithm& algorithm, Of&& of) {
    Claims all;
    beside_each(
        all, hierarchy_.nodes(), algorithm, [&](int node) { return hierarchy_.are_alike(node - 1, node); },
        [&](int node) { return inside(algorithm, node, of(node)); });
    add(all);
  }
  /// On one node.
  void on_node(const Algorithm& algorithm, int node, Problem problem) {
    add(inside(algorithm, node, std::move(problem)));
  }
  /// Among the leaders of the teams of every number, at the same time: of(team) is the problem.
  template <typename Of>
  void across(const Algorithm& algorithm, Of&& of) {
    Claims all;
    beside_each(
        all, hierarchy_.leaders(), algorithm, [&](int team) { return hierarchy_.teams_are_alike(team - 1, team); },
        [&](int team) { return across(algorithm, team, of(team)); });
    add(all);
  }
  /// In every team of every node, at the same time: of(node, team) is the problem.
  template <typename Of>
  void in_teams(const Algorithm& algorithm, Of&& of) {
    Claims all;
    for (int node = 0; node < hierarchy_.nodes(); ++node) {
      const auto size = [&](int team) { return hierarchy_.team(node, team).size(); };
      beside_each(
          all, hierarchy_.leaders(), algorithm, [&](int team) { return size(team - 1) == size(team); },
          [&](int team) { return algorithm.claims(of(node, team), inner_); });
    }
    add(all);
  }

  const Claims& sum() const { return sum_; }

 private:
  /// Adds the claims of `n` problems that run at the same time: claims_of(k), or those of the one before if
  /// is_as_before(k).
  template <typename IsAsBefore, typename ClaimsOf>
  void beside_each(Claims& all, int n, const Algorithm& algorithm, IsAsBefore&& is_as_before, ClaimsOf&& claims_of) {
    const bool repeats = problems_ == Problems::alike && !algorithm.claims.looks_at_layout();
    Claims each;
    for (int k = 0; k < n; ++k) {
      if (k == 0 || !repeats || !is_as_before(k)) each = claims_of(k);
      beside(all, each);
    }
  }
  Claims inside(const Algorithm& algorithm, int node, Problem problem) const;
  Claims across(const Algorithm& algorithm, int team, Problem problem) const;
  static void beside(Claims& all, const Claims& one);
  void add(const Claims& next);

  const Hierarchy& hierarchy_;
  Parameters inner_;
  const Layout& layout_;
  Problems problems_;
  Claims sum_;
};

/// The parameters of a stage of `parameters`: a grid of all ranks is none of some.
Parameters inner(Parameters parameters);

// Recorders and claims of hierarchical(), one for each kind of result.

void hierarchical_whole(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across);
Claims hierarchical_whole_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                 const Parameters& parameters, const Layout& layout);
void hierarchical_blocks(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across);
Claims hierarchical_blocks_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                  const Parameters& parameters, const Layout& layout);
void hierarchical_scan(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across);
Claims hierarchical_scan_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                const Parameters& parameters, const Layout& layout);
void hierarchical_exchange(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across);
Claims hierarchical_exchange_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                    const Parameters& parameters, const Layout& layout);

}  // namespace tutti
