/// @file
/// What messages cost inside a node and between nodes.
#pragma once

#include "predict/machine_costs.hpp"
#include "schedule/layout.hpp"

namespace tutti {

/// The costs of a message by the nodes of its two ranks. Refers to what it is made of.
class LevelCosts {
 public:
  /// The same wherever the ranks are.
  LevelCosts(const MachineCosts& all) : LevelCosts(all, all, one_node()) {}  // NOLINT: costs are costs
  /// Of ranks that are where `layout` says.
  LevelCosts(const MachineCosts& inside, const MachineCosts& between, const Layout& layout)
      : inside_(&inside), between_(&between), layout_(&layout), has_levels_(layout.nodes() > 1) {}

  /// Whether there is anything between nodes.
  bool has_levels() const { return has_levels_; }
  const MachineCosts& inside() const { return *inside_; }
  const MachineCosts& between_nodes() const { return *between_; }
  const Layout& layout() const { return *layout_; }

  bool crosses(int from, int to) const { return has_levels_ && layout_->node_of(from) != layout_->node_of(to); }
  const MachineCosts& of(int from, int to) const { return crosses(from, to) ? *between_ : *inside_; }
  /// A collective, beside its messages.
  double call() const { return has_levels_ ? between_->call : inside_->call; }

 private:
  static const Layout& one_node() {
    static const Layout layout;
    return layout;
  }

  const MachineCosts* inside_;
  const MachineCosts* between_;
  const Layout* layout_;
  bool has_levels_;
};

}  // namespace tutti
