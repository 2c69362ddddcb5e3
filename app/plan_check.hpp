/// @file
/// Whether what is chosen keeps the performance guidelines.
#pragma once

#include <cstdint>
#include <vector>

#include "app/commands.hpp"
#include "predict/cost_model.hpp"

namespace tutti::app {

/// Holds the predictions of one call by the best algorithm against all guidelines, for every number of ranks and of
/// elements. Status 1 where one is broken. Cost: a price for each algorithm of each call.
Outcome check_guidelines(const CostModel& model, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts,
                         std::int64_t element_size, bool json);

}  // namespace tutti::app
