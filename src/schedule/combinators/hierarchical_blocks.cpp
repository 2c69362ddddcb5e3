/// @file
/// Hierarchies for blocks of single ranks: all-gather and scatter, and so their duals.

#include "schedule/combinators/hierarchy.hpp"
#include "schedule/record/append.hpp"
#include "schedule/record/phases.hpp"

namespace tutti {
namespace {

// With many leaders the blocks that each collects are gathered by all ranks of a node; else the one leader has them
// all.
Hierarchy hierarchy_of_blocks(const InsideNodes& inside, const Problem& problem, const Layout& layout) {
  const bool many = inside.last->collective == Collective::all_gather;
  return {layout, problem, many ? LeaderCount::many : LeaderCount::one};
}

/// The blocks of the problem, by teams and nodes.
class Grouped {
 public:
  Grouped(const Hierarchy& hierarchy, const Blocks& blocks) : hierarchy_(hierarchy), blocks_(blocks) {}

  std::int64_t total() const { return blocks_.total(); }
  std::int64_t sum(std::span<const int> ranks) const {
    std::int64_t elements = 0;
    if (blocks_.are_equal() && blocks_.size() > 0) return std::ssize(ranks) * blocks_.count(0);
    for (const int rank : ranks) elements += blocks_.count(rank);
    return elements;
  }
  /// Adds the places of the blocks of those ranks in a buffer of all blocks.
  void add(Message& message, Buffer buffer, std::span<const int> ranks) const {
    for (const int rank : ranks) append(message, 0, {buffer, blocks_.first(rank), blocks_.count(rank)});
  }
  /// Adds the places of the blocks of the teams of that number, node after node.
  void add_column(Message& message, Buffer buffer, int team) const {
    for (int node = 0; node < hierarchy_.nodes(); ++node) add(message, buffer, hierarchy_.team(node, team));
  }

  std::vector<std::int64_t> counts(std::span<const int> ranks) const {
    std::vector<std::int64_t> all;
    for (const int rank : ranks) all.push_back(blocks_.count(rank));
    return all;
  }
  /// Returns the elements of the teams of that number, by node.
  std::vector<std::int64_t> column_counts(int team) const {
    std::vector<std::int64_t> all;
    for (int node = 0; node < hierarchy_.nodes(); ++node) all.push_back(sum(hierarchy_.team(node, team)));
    return all;
  }
  std::vector<std::int64_t> node_counts() const {
    std::vector<std::int64_t> all;
    for (int node = 0; node < hierarchy_.nodes(); ++node) all.push_back(sum(hierarchy_.members(node)));
    return all;
  }
  /// Returns, by place, the elements that each leader holds for its node once the leaders have exchanged theirs;
  /// nothing at the others.
  std::vector<std::int64_t> led_counts(int node) const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(hierarchy_.size(node)), 0);
    for (int team = 0; team < hierarchy_.leaders(); ++team) {
      std::int64_t& led = all[static_cast<std::size_t>(hierarchy_.leader_place(node, team))];
      for (int each = 0; each < hierarchy_.nodes(); ++each) led += sum(hierarchy_.team(each, team));
    }
    return all;
  }

 private:
  const Hierarchy& hierarchy_;
  Blocks blocks_;
};

// On one node: what a leader would collect, all would gather.
void all_gather_on_one_node(Script& me, const Problem& problem, const InsideNodes& inside) {
  if (inside.last->collective == Collective::all_gather) return inside.last->record(me, problem);
  then(*inside.first, *inside.last)(me, problem);
}

void all_gather(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across) {
  const Hierarchy hierarchy = hierarchy_of_blocks(inside, problem, me.layout());
  if (hierarchy.nodes() == 1) return all_gather_on_one_node(me, problem, inside);
  const Grouped grouped(hierarchy, me.all_blocks());
  const int node = hierarchy.node_of(me.rank());
  const int number = hierarchy.team_of(me.rank());
  const std::span<const int> team = hierarchy.team(node, number);

  // Blocks lie at their places in the output from the start.
  Message held{me.input()};
  if (team.size() > 1) {
    held.clear();
    grouped.add(held, Buffer::output, team);
    Stage stage{.problem = on_blocks(problem, Collective::gather, grouped.counts(team))};
    stage.parameters = inner(me.parameters());
    stage.rank = static_cast<int>(std::lower_bound(team.begin(), team.end(), me.rank()) - team.begin());
    stage.ranks = team;
    stage.input = {me.input()};
    stage.output = stage.scratch = held;
    me.phase(phase_inside(inside.first->collective, true));
    perform(me, inside.first->record, stage);
  }
  if (hierarchy.leads(me.rank())) {
    std::vector<int> among;
    Stage stage =
        hierarchy.across(me, on_blocks(problem, Collective::all_gather, grouped.column_counts(number)), among);
    stage.input = held;
    grouped.add_column(stage.output, Buffer::output, number);
    me.phase(phase_between(across.collective));
    perform(me, across.record, stage);
  }
  if (hierarchy.leaders() == 1 && inside.last->collective == Collective::broadcast) {
    Stage stage = hierarchy.inside(me, on_message(problem, Collective::broadcast, grouped.total()));
    stage.output = {me.output()};
    me.phase(phase_inside(inside.last->collective, false));
    return perform(me, inside.last->record, stage);
  }
  Stage stage = hierarchy.inside(me, on_blocks(problem, Collective::all_gather, grouped.led_counts(node)));
  if (me.detail() == Detail::all) {
    if (hierarchy.leads(me.rank())) grouped.add_column(stage.input, Buffer::output, number);
    for (int each = 0; each < hierarchy.leaders(); ++each) grouped.add_column(stage.output, Buffer::output, each);
  }
  me.phase(phase_inside(inside.last->collective, false));
  perform(me, inside.last->record, stage);
}

// The root's node keeps its blocks in the root's input; other leaders take theirs to scratch.
void scatter(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across) {
  const Hierarchy hierarchy = hierarchy_of_blocks(inside, problem, me.layout());
  if (hierarchy.nodes() == 1) return inside.last->record(me, problem);
  const Grouped grouped(hierarchy, me.all_blocks());
  const int node = hierarchy.node_of(me.rank());
  const std::span<const int> members = hierarchy.members(node);
  const bool alone = members.size() == 1;
  const bool is_root = me.rank() == problem.root;

  Message bundle;
  std::int64_t kept = 0;
  if (hierarchy.leads(me.rank())) {
    Stage stage;
    std::vector<int> among;
    stage = hierarchy.across(me, on_blocks(problem, Collective::scatter, grouped.node_counts()), among);
    stage.problem.root = hierarchy.node_of(problem.root);
    if (is_root) {
      for (int each = 0; each < hierarchy.nodes(); ++each)
        grouped.add(stage.input, Buffer::input, hierarchy.members(each));
      grouped.add(bundle, Buffer::input, members);
    } else if (!alone) {
      kept = grouped.sum(members);
      bundle = {me.scratch(0, kept)};
    }
    stage.output = alone ? Message{me.output()} : bundle;
    stage.scratch_base = kept;
    me.phase(phase_between(across.collective));
    perform(me, across.record, stage);
  }
  if (alone) return;
  Stage stage = hierarchy.inside(me, on_blocks(problem, Collective::scatter, grouped.counts(members)));
  stage.problem.root = hierarchy.leader_place(node, 0);
  stage.input = bundle;
  stage.output = {me.output()};
  stage.scratch_base = kept;
  me.phase(phase_inside(inside.last->collective, false));
  perform(me, inside.last->record, stage);
}

Claims all_gather_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                         const Hierarchy& hierarchy, StageClaims& claims) {
  const Grouped grouped(hierarchy, all_blocks(problem));
  claims.in_teams(*inside.first, [&](int node, int team) {
    return on_blocks(problem, Collective::gather, grouped.counts(hierarchy.team(node, team)));
  });
  claims.across(across,
                [&](int team) { return on_blocks(problem, Collective::all_gather, grouped.column_counts(team)); });
  claims.inside(*inside.last, [&](int node) {
    return inside.last->collective == Collective::broadcast
               ? on_message(problem, Collective::broadcast, grouped.total())
               : on_blocks(problem, Collective::all_gather, grouped.led_counts(node));
  });
  return claims.sum();
}

Claims scatter_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                      const Hierarchy& hierarchy, StageClaims& claims) {
  const Grouped grouped(hierarchy, all_blocks(problem));
  claims.across(across, [&](int) {
    Problem bundles = on_blocks(problem, Collective::scatter, grouped.node_counts());
    bundles.root = hierarchy.node_of(problem.root);
    return bundles;
  });
  claims.inside(*inside.last, [&](int node) {
    Problem blocks = on_blocks(problem, Collective::scatter, grouped.counts(hierarchy.members(node)));
    blocks.root = hierarchy.leader_place(node, 0);
    return blocks;
  });
  return claims.sum();
}

}  // namespace

void hierarchical_blocks(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across) {
  problem.collective == Collective::scatter ? scatter(me, problem, inside, across)
                                            : all_gather(me, problem, inside, across);
}

Claims hierarchical_blocks_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                  const Parameters& parameters, const Layout& layout) {
  const Hierarchy hierarchy = hierarchy_of_blocks(inside, problem, layout);
  StageClaims claims(hierarchy, parameters, layout, has_equal_blocks(problem) ? Problems::alike : Problems::differ);
  const bool gathers = problem.collective == Collective::all_gather;
  if (hierarchy.nodes() > 1) {
    return gathers ? all_gather_claims(inside, across, problem, hierarchy, claims)
                   : scatter_claims(inside, across, problem, hierarchy, claims);
  }
  if (gathers && inside.last->collective == Collective::broadcast)
    return then_claims(*inside.first, *inside.last, problem, parameters);
  return inside.last->claims(problem, parameters, layout);
}

}  // namespace tutti
