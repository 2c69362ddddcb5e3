/// @file
/// Measures all algorithms that `tutti plan` ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "app/planned.hpp"
#include "measure/pace.hpp"
#include "tutti/communicator.hpp"

namespace tutti::app {

/// Throws `Error` for a collective that is not measured, and for buffers that the machine has no memory for.
void check_measurable(const Problem& problem, const std::vector<std::int64_t>& sizes);

/// Every algorithm that fits, at every size; a collective call, with the same result on every rank.
Measurements measure_all(Communicator& comm, const Problem& problem, const std::vector<std::int64_t>& sizes,
                         const measure::Effort& effort);

}  // namespace tutti::app
