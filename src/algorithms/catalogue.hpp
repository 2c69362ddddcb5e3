/// @file
/// Catalogue of algorithms: those of the table, and those that a program brings along.
#pragma once

#include <string_view>

#include "algorithms/table.hpp"
#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// The algorithm with that name or alias, or one that the program has brought along (own.hpp); null where there is
/// none.
const Algorithm* find(Collective collective, std::string_view name);

/// The algorithm with that name or alias that fits the problem, over ranks that are where `layout` says.
/// Throws `Error(invalid_argument)` for an unknown name, naming the nearest known one, and `Error(unsupported)` where
/// the problem does not meet its needs, naming the need and the nearest algorithm that fits.
const Algorithm& fitting(const Problem& problem, std::string_view name, const Layout& layout = {});

}  // namespace tutti::algorithms
