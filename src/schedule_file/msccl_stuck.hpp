/// @file
/// Why thread blocks of an MSCCL file wait for ever.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schedule_file/msccl.hpp"

namespace tutti::msccl {

/// By rank and thread block: the step that it has come to, or one past its last.
using Reached = std::vector<std::vector<std::size_t>>;

/// Throws `Error(invalid_argument)` where a thread block has not come to its end though none goes on: it names one that
/// no other keeps from going on, or one of those that wait for one another in a circle.
void check_ends(const Algorithm& algorithm, const Reached& reached, const std::string& name);

}  // namespace tutti::msccl
