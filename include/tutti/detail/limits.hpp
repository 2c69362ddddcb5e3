/// @file
/// Limits of the library that its users meet.
#pragma once

namespace tutti {

/// How many collectives a rank may be ahead of the slowest rank of its communicator. Each costs a rank 1.3 KiB of its
/// record, of which there are to be at most 64 KiB; with more of them, ranks that outnumber the cores take turns less often.
inline constexpr int most_collectives_ahead = 40;

}  // namespace tutti
