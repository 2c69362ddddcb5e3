/// @file
/// Limits that Linux sets a process by its control groups, as those of a container.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tutti {

/// Returns how many cores' worth of time the control groups of this process grant: the least of its own group and those
/// above it, by cpu.max (version 2) or cpu.cfs_quota_us (version 1). Nothing if they grant all there is, or are not to
/// be seen. `root` is the folder in which the system's files lie.
std::optional<double> cpu_quota(const std::filesystem::path& root = "/");

/// Returns how many bytes of memory they grant in the same way, by memory.max (version 2) or memory.limit_in_bytes
/// (version 1, where a number above all memory stands for no limit).
std::optional<std::int64_t> memory_limit(const std::filesystem::path& root = "/");

/// Returns how many bytes they let this process still take: the least, over the groups that have such a limit, of it
/// less what the group holds beside files that it can drop. Nothing where none has.
std::optional<std::int64_t> memory_left(const std::filesystem::path& root = "/");

}  // namespace tutti
