/// @file
/// Short tables of `tutti price`: a line for each size, or for each distance of a shift.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/prices.hpp"

namespace tutti::app {

/// One line of a table: all algorithms at one size or distance, the fastest first.
struct PriceLine {
  std::string label;  ///< "64KiB"
  std::vector<PricedAlgorithm> ranking;
  LowerBound bound;
};

/// Columns of a short table.
enum class PriceColumns : std::uint8_t {
  fastest,  ///< the fastest algorithm and the runner-up
  each,     ///< each algorithm, for those that were named
};

/// Returns the time divided by the bound; nothing where there is no time or no bound.
std::optional<double> times_the_bound(const PricedAlgorithm& priced, const LowerBound& bound);

/// Returns the table, whose first column has that heading, and below it the formulas of the algorithms in it.
std::string short_table(std::string_view heading, const std::vector<PriceLine>& lines, PriceColumns columns);

}  // namespace tutti::app
