/// @file
/// Copying bytes, through the caches or past them.
#pragma once

#include <cstddef>

#include "tutti/detail/operator.hpp"

namespace tutti::runtime {

/// From so many bytes of results on, streaming stores are faster than cached ones. Medians of nine on an idle Xeon with
/// 2 MiB of L2 cache a core, buffers rotating, AVX-512, the sums of doubles by a loop of the form of fold-inl.hpp's.
/// GB/s read and written, cached / streaming:
///
///                           64 KiB     256 KiB        1 MiB        4 MiB       16 MiB       64 MiB
///     copy              37.2 / 15.2  25.4 / 19.1  22.3 / 24.3  18.7 / 20.8  18.7 / 21.0  22.3 / 20.7
///     sum of two        38.5 / 41.0  28.6 / 30.5  21.0 / 24.9  17.0 / 21.0  17.1 / 21.0  16.7 / 20.9
///     sum of four       39.4 / 29.8  27.4 / 25.8  23.9 / 26.8  20.5 / 23.4  20.8 / 23.3  20.5 / 23.0
///
/// and each of two threads at once:
///
///     copy              35.9 / 14.9  25.4 / 18.7  19.3 / 20.9  17.4 / 19.6  17.2 / 19.4  21.8 / 20.0
///     sum of two        35.9 / 43.8  28.3 / 29.9  18.8 / 21.3  16.0 / 19.9  16.1 / 20.0  15.5 / 19.4
///     sum of four       37.0 / 29.7  27.3 / 25.5  21.0 / 22.7  19.7 / 21.9  19.4 / 22.1  19.6 / 22.4
///
/// Half of the L2 cache: an operand and the result fill it. The cached copy of 64 MiB is the C library's, which streams
/// by itself. `rep movsb` is at best 1 % faster than the C library.
inline constexpr std::size_t streaming_from = std::size_t{1} << 20;

/// Copies n bytes; `to` and `from` may be equal, and may not overlap otherwise. Who asks for streaming stores fences
/// them.
void copy_bytes(void* to, const void* from, std::size_t n, detail::Stores stores);

/// Copies to two places, which do not overlap.
void copy_bytes_twice(void* to, void* also_to, const void* from, std::size_t n, detail::Stores stores);

/// On return other threads see all streaming stores that this thread has made. It waits for them, which after each part
/// of a few hundred bytes would take longer than the part: fence once, after the last.
void fence_streaming_stores();

}  // namespace tutti::runtime
