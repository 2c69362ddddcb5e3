/// @file
/// Limits of the library that its users meet.
#pragma once

namespace tutti {

/// Number of collectives that a rank may be ahead of the slowest rank of its communicator. Ranks that outnumber the
/// cores take turns less often with more of them; but each costs a rank 0.6 KiB, and two ranks are to begin with 128
/// KiB in all, and it costs each pair of ranks that talk a slot each way.
inline constexpr int most_collectives_ahead = 64;

}  // namespace tutti
