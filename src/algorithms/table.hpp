/// @file
/// Table of all algorithms: declares each of them, and lists them. `tutti list`, the documentation and the tests are
/// made from it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

#define TUTTI_ALGORITHM(name) extern const Algorithm name;
#include "algorithms/table.inc"

/// All algorithms, by collective; within a collective the textbook's simplest first.
std::span<const Algorithm* const> catalogue();

/// The algorithms for one collective, in the catalogue's order.
std::vector<const Algorithm*> algorithms_for(Collective collective);

/// Returns the table's algorithm with that name or alias; null where there is none.
const Algorithm* find_listed(Collective collective, std::string_view name);

}  // namespace tutti::algorithms
