/// @file
/// Cuts: parts of the ranks, and the links over which such a part must tell the others what it has to tell.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "topology/topology.hpp"

namespace tutti {

/// Links that cost the same, and how many there are.
struct LinkClass {
  LinkCost cost;
  double count = 0;
};

/// Some of the ranks, and the links from their side of the network to the other: whatever these ranks send to the
/// others crosses one of them at least once.
struct Cut {
  std::int64_t size = 0;  ///< number of ranks inside: at least 1, and not all
  std::function<bool(int rank)> inside;
  std::vector<LinkClass> links;
};

/// The other side of a cut that has as many links, of the same kinds, in the other direction.
Cut turned(const Cut& cut, int ranks);

/// Knowledge of a family of networks about its links, without a look at each.
class NamesItsCuts {
 public:
  virtual ~NamesItsCuts() = default;
  /// All links that routes can take.
  virtual std::vector<LinkClass> link_classes() const = 0;
  /// Returns the cost of the links that begin or end at a rank, if it is equal for all.
  virtual std::optional<LinkCost> cost_at_ranks() const = 0;
  /// Narrow cuts, `anchor` inside some and outside others: single ranks, ranges along dimensions, subtrees, groups.
  virtual std::vector<Cut> cuts(int anchor) const = 0;
};

/// Returns the classes of links of any network; networks that do not name their cuts have none, and are asked for each
/// link.
std::vector<LinkClass> link_classes(const Topology& topology);
std::optional<LinkCost> cost_at_ranks(const Topology& topology);
std::vector<Cut> cuts(const Topology& topology, int anchor);

/// Adds links to those that cost the same.
void add_links(std::vector<LinkClass>& classes, const LinkCost& cost, double count);

/// Parts of a line of `extent` ranks that a family cuts off: all up to 64, of longer lines powers of two and halves.
std::vector<int> lengths_to_cut(int extent);

}  // namespace tutti
