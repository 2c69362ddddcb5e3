/// @file
/// What Linux grants a process by its control groups, as those of a container.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tutti {

/// How many cores' worth of time the control groups of this process grant: the least of its own group and those above
/// it, by cpu.max (version 2) or cpu.cfs_quota_us (version 1). Nothing where they grant all there is, or are not to be
/// seen. `root` is where the system's files lie.
std::optional<double> cpu_quota(const std::filesystem::path& root = "/");

/// How many bytes of memory they grant in the same way, by memory.max (version 2) or memory.limit_in_bytes (version 1,
/// where a number above all memory stands for no limit).
std::optional<std::int64_t> memory_limit(const std::filesystem::path& root = "/");

}  // namespace tutti
