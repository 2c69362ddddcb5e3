/// @file
/// Name of the machine that a figure was measured on.
#pragma once

#include <cstdint>
#include <string>

namespace tutti::measure {

/// Processors that this process may use.
int cores();
/// Bytes of the last cache that the processors share, and of one processor's own caches; a guess where the system does
/// not say.
std::int64_t shared_cache_bytes();
std::int64_t own_cache_bytes();
/// Bytes of memory that this process may have: the machine's, or what control groups grant of it.
std::int64_t memory_bytes();

/// "Intel(R) Xeon(R) Processor, 2 cores, 2MiB of cache each and 105MiB shared, Linux 6.1.0".
std::string machine_in_words();

}  // namespace tutti::measure
