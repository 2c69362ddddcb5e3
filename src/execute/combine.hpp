/// @file
/// A fold whose operands all lie in this rank's memory, in one piece each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/interfaces/message.hpp"

namespace tutti::runtime {

/// Up to here a fold at hand is computed without asking for help.
inline constexpr std::int64_t small_fold = 16 * 1024;

/// into = operands from left to right, `n` elements that lie in one piece each.
void combine(std::byte* into, std::span<const void* const> operands, std::int64_t n, const Combination& how);

}  // namespace tutti::runtime
