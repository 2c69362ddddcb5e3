/// @file
/// Limits of the library that its users meet.
#pragma once

namespace tutti {

/// How many collectives a rank may be ahead of the slowest rank of its communicator.
inline constexpr int most_collectives_ahead = 24;

}  // namespace tutti
