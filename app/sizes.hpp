/// @file
/// Ranges of sizes on the command line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cost/crossing.hpp"

namespace tutti::app {

/// "64KiB", or "8..16MiB". Throws `Error` for what is no size, an empty range, and sizes above 1PiB.
SizeRange parse_sizes(std::string_view text);

/// The only size of a range. Throws `Error` where it has several.
std::int64_t one_size(const SizeRange& range);

/// The sizes to show of a range: its ends and the powers of two in between.
std::vector<std::int64_t> sizes_in(const SizeRange& range);

}  // namespace tutti::app
