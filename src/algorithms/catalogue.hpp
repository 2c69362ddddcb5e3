/// @file
/// The one table of all algorithms. `tutti list`, the documentation and the tests are made from it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

/// All algorithms, by collective; within a collective the textbook's simplest first.
std::span<const Algorithm* const> catalogue();

/// The algorithms for one collective, in the catalogue's order.
std::vector<const Algorithm*> algorithms_for(Collective collective);

/// The algorithm with that name or alias, or one that the program has brought along (own.hpp); null where there is
/// none.
const Algorithm* find(Collective collective, std::string_view name);

/// The algorithm with that name or alias that fits the problem, over ranks that are where `layout` says.
/// Throws `Error(invalid_argument)` for an unknown name, naming the nearest known one, and `Error(unsupported)` where
/// the problem does not meet its needs, naming the need and the nearest algorithm that fits.
const Algorithm& fitting(const Problem& problem, std::string_view name, const Layout& layout = {});

}  // namespace tutti::algorithms
