/// @file
/// Lower bounds as formulas.
#pragma once

#include <string_view>
#include <vector>

#include "cost/bounds/lower_bound.hpp"
#include "cost/symbolic/symbolic_time.hpp"

namespace tutti {

/// A lower bound (bounds/lower_bound.hpp) in symbols.
struct SymbolicBound {
  std::string_view name;
  std::string_view reason;
  SymbolicTime time;              ///< for the problem's number of ranks
  std::string_view formula = {};  ///< for any p; empty where none is known
};

/// Returns the bounds of the problem on the network, m being by the collective's own convention, or the sum of all
/// counts where blocks differ. A formula for any p is one whose value is that of the bound.
std::vector<SymbolicBound> symbolic_bounds(const Problem& problem, const Topology& topology, const Machine& machine);

/// Growth that no algorithm for ranks with one port avoids, as "ts log p + tw m", which stands in Ω(…): a bound by
/// messages and one by bytes hold at once, and the greater of two is at least half of their sum.
std::string_view least_growth(Collective collective);

}  // namespace tutti
