/// @file
/// Largest size of a schedule.
#pragma once

#include <cstdint>

namespace tutti {

/// Messages of a schedule at most, and as many slices in them. A message is two operations of some 50 bytes each; a
/// slice has 24 bytes, and about as many in a proof.
inline constexpr std::int64_t most_recorded = std::int64_t{1} << 26;

}  // namespace tutti
