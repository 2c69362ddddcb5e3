/// @file
/// Hierarchies for messages that all ranks have, or want, as a whole.

#include "schedule/combinators/hierarchy.hpp"
#include "schedule/record/phases.hpp"

namespace tutti {
namespace {

// With parts, every leader of a node works across nodes with its own.
bool by_parts(const InsideNodes& inside) { return has_blocks(inside.first->collective); }

Hierarchy hierarchy_of_parts(const InsideNodes& inside, const Problem& problem, const Layout& layout) {
  return {layout, problem, by_parts(inside) ? LeaderCount::many : LeaderCount::one};
}

// The message's parts, and this rank's: empty where it leads nobody.
struct MessageParts {
  MessageParts(const Hierarchy& hierarchy, const Problem& problem, int rank)
      : all(Blocks::parts_of(problem.count, hierarchy.leaders())) {
    if (!hierarchy.leads(rank)) return;
    const int team = hierarchy.team_of(rank);
    first = all.first(team);
    count = all.count(team);
  }
  Slice in(Buffer buffer) const { return {buffer, first, count}; }

  Blocks all;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

Problem from_root(Problem problem, int root) {
  problem.root = root;
  return problem;
}

class Whole {
 public:
  Whole(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across)
      : me_(me),
        problem_(problem),
        inside_(inside),
        across_(across),
        hierarchy_(hierarchy_of_parts(inside, problem, me.layout())),
        node_(hierarchy_.node_of(me.rank())),
        leads_(hierarchy_.leads(me.rank())),
        leader_(hierarchy_.leader_place(node_, 0)) {}

  void broadcast() {
    const Slice message = me_.message();
    if (leads_) {
      Stage stage = across(from_root(problem_, hierarchy_.node_of(problem_.root)));
      stage.output = {message};
      perform_across(stage);
    }
    Stage stage = hierarchy_.inside(me_, from_root(problem_, leader_));
    stage.output = {message};
    perform_last(stage);
  }

  void broadcast_parts() {
    const MessageParts parts(hierarchy_, problem_, me_.rank());
    const Slice message = me_.message();
    const Slice part = parts.in(Buffer::output);
    const int root_node = hierarchy_.node_of(problem_.root);
    if (node_ == root_node) {
      Stage stage = dealing(Collective::scatter, parts);
      stage.problem.root = hierarchy_.place_of(problem_.root);
      stage.input = {message};
      stage.output = {part};
      stage.scratch = {message};
      perform_first(stage);
    }
    if (leads_) {
      Stage stage = across(from_root(on_message(problem_, Collective::broadcast, part.count), root_node));
      stage.output = {part};
      perform_across(stage);
    }
    Stage stage = dealing(Collective::all_gather, parts);
    stage.input = {part};
    stage.output = {message};
    perform_last(stage);
  }

  // MessageParts of partial results lie in the root's output, unless its input is there, and in scratch elsewhere.
  void reduce_parts() {
    const MessageParts parts(hierarchy_, problem_, me_.rank());
    const bool in_output = me_.rank() == problem_.root && !problem_.in_place;
    const Slice part = in_output ? parts.in(Buffer::output) : me_.scratch(0, parts.count);
    const int root_node = hierarchy_.node_of(problem_.root);
    Stage stage = dealing(Collective::reduce_scatter, parts);
    stage.input = {me_.input()};
    stage.output = {part};
    stage.scratch_base = part.count;
    perform_first(stage);
    if (leads_) {
      stage = across(from_root(on_message(problem_, Collective::reduce, part.count), root_node));
      stage.problem.in_place = true;
      stage.output = {part};
      stage.scratch_base = part.count;
      perform_across(stage);
    }
    if (node_ != root_node) return;
    stage = dealing(Collective::gather, parts);
    stage.problem.root = hierarchy_.place_of(problem_.root);
    stage.input = {part};
    stage.output = {me_.output()};
    stage.scratch_base = part.count;
    perform_last(stage);
  }

  // Sums grow in the output, which the result then overwrites.
  void all_reduce() {
    Problem reducing = from_root(on_message(problem_, Collective::reduce, problem_.count), leader_);
    reducing.in_place = problem_.in_place;
    const bool alone = hierarchy_.size(node_) == 1;
    if (!alone) {
      Stage stage = hierarchy_.inside(me_, reducing);
      stage.input = {me_.input()};
      stage.output = {me_.output()};
      stage.scratch = {me_.output()};
      perform_first(stage);
    }
    if (leads_) all_reduce_across(alone ? me_.input() : me_.output(), me_.output());
    if (alone) return;
    Stage stage =
        hierarchy_.inside(me_, from_root(on_message(problem_, Collective::broadcast, problem_.count), leader_));
    stage.output = {me_.output()};
    perform_last(stage);
  }

  // In place a part of the sum grows in scratch, because the input that it is made of lies in the output.
  void all_reduce_parts() {
    const MessageParts parts(hierarchy_, problem_, me_.rank());
    const Slice result = parts.in(Buffer::output);
    const Slice part = problem_.in_place ? me_.scratch(0, parts.count) : result;
    Stage stage = dealing(Collective::reduce_scatter, parts);
    stage.input = {me_.input()};
    stage.output = {part};
    stage.scratch_base = problem_.in_place ? parts.count : 0;
    if (!problem_.in_place) stage.scratch = {me_.output()};
    perform_first(stage);
    if (leads_) all_reduce_across(part, result);
    stage = dealing(Collective::all_gather, parts);
    stage.input = {result};
    stage.output = {me_.output()};
    perform_last(stage);
  }

  void barrier() {
    perform_first(hierarchy_.inside(me_, problem_));
    if (leads_) perform_across(across(problem_));
    perform_last(hierarchy_.inside(me_, problem_));
  }

 private:
  void perform_first(const Stage& stage) {
    me_.phase(phase_inside(inside_.first->collective, true));
    perform(me_, inside_.first->record, stage);
  }
  void perform_across(const Stage& stage) {
    me_.phase(phase_between(across_.collective));
    perform(me_, across_.record, stage);
  }
  void perform_last(const Stage& stage) {
    me_.phase(phase_inside(inside_.last->collective, false));
    perform(me_, inside_.last->record, stage);
  }
  Stage across(const Problem& problem) { return hierarchy_.across(me_, problem, among_); }
  Stage dealing(Collective collective, const MessageParts& parts) const {
    return hierarchy_.inside(me_, hierarchy_.dealing(problem_, collective, node_, parts.all));
  }

  void all_reduce_across(const Slice& from, const Slice& to) {
    Stage stage = across(on_message(problem_, Collective::all_reduce, to.count));
    stage.problem.in_place = from == to;
    stage.input = {from};
    stage.output = {to};
    if (from.buffer == Buffer::scratch) stage.scratch_base = from.end();
    perform_across(stage);
  }

  Script& me_;
  const Problem& problem_;
  const InsideNodes& inside_;
  const Algorithm& across_;
  Hierarchy hierarchy_;
  int node_;
  bool leads_;
  int leader_;              // the place of the leader, where there is one
  std::vector<int> among_;  // the leaders of the stage across nodes
};

}  // namespace

void hierarchical_whole(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across) {
  Whole whole(me, problem, inside, across);
  switch (problem.collective) {
    case Collective::broadcast:
      return by_parts(inside) ? whole.broadcast_parts() : whole.broadcast();
    case Collective::reduce:
      return whole.reduce_parts();
    case Collective::all_reduce:
      return by_parts(inside) ? whole.all_reduce_parts() : whole.all_reduce();
    default:
      return whole.barrier();
  }
}

Claims hierarchical_whole_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                 const Parameters& parameters, const Layout& layout) {
  const Hierarchy hierarchy = hierarchy_of_parts(inside, problem, layout);
  const bool parts_are_alike = problem.count % hierarchy.leaders() == 0;
  StageClaims claims(hierarchy, parameters, layout, parts_are_alike ? Problems::alike : Problems::differ);
  const Blocks parts = Blocks::parts_of(problem.count, hierarchy.leaders());
  const int root_node = hierarchy.node_of(problem.root);
  const int root_place = hierarchy.place_of(problem.root);
  const bool rooted = has_root(problem.collective);
  const auto deal = [&](const Algorithm& algorithm, int node) {
    Problem dealt = hierarchy.dealing(problem, algorithm.collective, node, parts);
    if (has_root(algorithm.collective)) dealt.root = root_place;
    return dealt;
  };
  const auto message = [&](const Algorithm& algorithm, std::int64_t count, int root) {
    return from_root(on_message(problem, algorithm.collective, count), root);
  };
  // The leaders' part comes after a scatter on the root's node alone, or a reduction on every node.
  if (inside.first->collective == Collective::scatter) {
    claims.on_node(*inside.first, root_node, deal(*inside.first, root_node));
  } else if (problem.collective != Collective::broadcast) {
    claims.inside(*inside.first, [&](int node) {
      return by_parts(inside) ? deal(*inside.first, node)
                              : message(*inside.first, problem.count, hierarchy.leader_place(node, 0));
    });
  }
  claims.across(across, [&](int team) { return message(across, parts.count(team), rooted ? root_node : 0); });
  if (inside.last->collective == Collective::gather) {
    claims.on_node(*inside.last, root_node, deal(*inside.last, root_node));
  } else {
    claims.inside(*inside.last, [&](int node) {
      return by_parts(inside) ? deal(*inside.last, node)
                              : message(*inside.last, problem.count, hierarchy.leader_place(node, 0));
    });
  }
  return claims.sum();
}

}  // namespace tutti
