/// @file
/// A wait that was too long, in words.
#pragma once

#include <string>

#include "progress/operation.hpp"

namespace tutti::runtime {

/// "no progress for 30 s (…): rank 0 waits for …; rank 3 waits for …; rank 7 is stopped": what `operation`, which
/// stands still, waits for, and what its communicator's other ranks do.
std::string standstill(const Operation& operation);

}  // namespace tutti::runtime
