/// @file
/// Hierarchies for scans: the last rank of every node leads it, because it has the node's total.

#include "schedule/combinators/hierarchy.hpp"
#include "schedule/record/phases.hpp"

namespace tutti {
namespace {

/// One rank's part in a scan over several nodes.
class NodeScan {
 public:
  NodeScan(Script& me, const Problem& problem, const Hierarchy& hierarchy)
      : me_(me),
        problem_(problem),
        hierarchy_(hierarchy),
        node_(hierarchy.node_of(me.rank())),
        last_place_(hierarchy.size(node_) - 1),
        place_(hierarchy.place_of(me.rank())) {}

  void run(const InsideNodes& inside, const Algorithm& across) {
    const std::int64_t m = problem_.count;
    me_.phase(phase_inside(inside.first->collective, true));
    const Slice total = scan_inside(inside);
    const Slice prefix = me_.scratch(m, m);
    me_.phase(phase_between(across.collective));
    if (place_ == last_place_) scan_across(across, total, prefix);
    if (node_ == 0) return;
    me_.phase(phase_inside(inside.last->collective, false));
    Problem message = on_message(problem_, Collective::broadcast, m);
    message.root = last_place_;
    Stage stage = hierarchy_.inside(me_, std::move(message));
    stage.output = {prefix};
    stage.scratch_base = 2 * m;
    perform(me_, inside.last->record, stage);
    put_before(prefix);
  }

 private:
  bool is_exclusive() const { return problem_.collective == Collective::exclusive_scan; }

  // Says where a node's last rank has the node's total. A total that no later node needs is not formed.
  Slice scan_inside(const InsideNodes& inside) {
    if (last_place_ == 0 && is_exclusive()) return me_.input();
    const std::int64_t m = problem_.count;
    const bool forms_total = is_exclusive() && place_ == last_place_ && node_ + 1 < hierarchy_.nodes();
    // In place, the rank's own contribution would be gone by the time that the total needs it.
    const Slice own = forms_total && problem_.in_place ? me_.scratch(0, m) : me_.input();
    me_.copy(own, me_.input());
    me_.wait();
    Problem scan = on_message(problem_, problem_.collective, m);
    scan.in_place = problem_.in_place;
    Stage stage = hierarchy_.inside(me_, std::move(scan));
    stage.input = {me_.input()};
    stage.output = {me_.output()};
    stage.scratch_base = 2 * m;
    perform(me_, inside.first->record, stage);
    if (!is_exclusive()) return me_.output();
    const Slice total = me_.scratch(0, m);
    if (forms_total) me_.reduce(total, me_.output(), own);
    me_.wait();
    return total;
  }

  void scan_across(const Algorithm& across, const Slice& total, const Slice& prefix) {
    std::vector<int> among;
    for (int node = 0; node < hierarchy_.nodes(); ++node)
      among.push_back(hierarchy_.rank_at(node, hierarchy_.size(node) - 1));
    Stage stage{.problem = on_message(problem_, Collective::exclusive_scan, problem_.count)};
    stage.problem.ranks = hierarchy_.nodes();
    stage.parameters = inner(me_.parameters());
    stage.rank = node_;
    stage.ranks = among;
    stage.input = {total};
    stage.output = {prefix};
    stage.scratch_base = 2 * problem_.count;
    perform(me_, across.record, stage);
  }

  // Puts the prefix of all nodes before this one on the left.
  void put_before(const Slice& prefix) {
    if (is_exclusive() && place_ == 0) {
      me_.copy(me_.output(), prefix);
    } else {
      me_.reduce(me_.output(), prefix, me_.output());
    }
    me_.wait();
  }

  Script& me_;
  const Problem& problem_;
  const Hierarchy& hierarchy_;
  int node_;
  int last_place_;
  int place_;
};

}  // namespace

void hierarchical_scan(Script& me, const Problem& problem, const InsideNodes& inside, const Algorithm& across) {
  const Hierarchy hierarchy(me.layout(), problem, LeaderCount::one);
  if (hierarchy.nodes() == 1) return inside.first->record(me, problem);
  NodeScan(me, problem, hierarchy).run(inside, across);
}

Claims hierarchical_scan_claims(const InsideNodes& inside, const Algorithm& across, const Problem& problem,
                                const Parameters& parameters, const Layout& layout) {
  const Hierarchy hierarchy(layout, problem, LeaderCount::one);
  if (hierarchy.nodes() == 1) return inside.first->claims(problem, parameters, layout);
  StageClaims claims(hierarchy, parameters, layout, Problems::alike);
  const auto message = [&](Collective collective) { return on_message(problem, collective, problem.count); };
  claims.inside(*inside.first, [&](int) { return message(problem.collective); });
  claims.across(across, [&](int) { return message(Collective::exclusive_scan); });
  for (int node = 1; node < hierarchy.nodes(); ++node) {
    Problem prefix = message(Collective::broadcast);
    prefix.root = hierarchy.size(node) - 1;
    claims.on_node(*inside.last, node, prefix);
  }
  return claims.sum();
}

}  // namespace tutti
