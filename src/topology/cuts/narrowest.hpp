/// @file
/// Narrowest cut: the ranks that need longest to tell all others what they have to tell.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/cuts/capacities.hpp"

namespace tutti {

/// Supply of each rank: what it has to tell all the others, 1 each for an all-gather, 1 at the root alone for a
/// broadcast.
using Supplies = std::vector<std::int64_t>;

/// Nodes, at least one rank and not all ranks among them.
struct NarrowCut {
  std::vector<char> inside;   ///< by node
  std::int64_t supply = 0;    ///< supply of those inside
  std::int64_t capacity = 0;  ///< capacity of the links that lead out
};

/// A cut whose links carry less than the supply inside; nothing where every rank can be told all. That is so just where
/// from a source that feeds each rank its supply as much flows to every single rank: for one rank with a supply the
/// theorem of Edmonds that its copies travel down as many trees.
/// Cost: a flow a rank.
/// Source: J. Edmonds, Edge-disjoint branchings, 1973.
std::optional<NarrowCut> cut_too_narrow(const Capacities& capacities, const Supplies& supplies);

/// The cut with the greatest supply / capacity, the time that no schedule is below; any ratio between two cuts is found
/// by flows with capacities times the best ratio so far (W. Dinkelbach, On Nonlinear Fractional Programming, 1967).
/// Needs at least two ranks, a supply somewhere, and capacities over which every rank reaches every other.
NarrowCut narrowest_cut(const Capacities& capacities, const Supplies& supplies);

}  // namespace tutti
