/// @file
/// System calls that both the shared heap of a program and the segment of ranks make. Nothing here allocates.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>

namespace tutti::heap {

/// Reads the beginning of a file of /proc, with a 0 behind it: at most `bytes` with that. Returns how many without; 0
/// if there is no such file.
std::size_t read_beginning(const char* path, char* to, std::size_t bytes) noexcept;
/// Whether the machine has that much memory to give, as far as is known.
bool has_memory_for(std::size_t bytes) noexcept;

/// Addresses that nothing else uses, from a multiple of `alignment` on; 0, and errno, where there are none.
std::uintptr_t reserve_addresses(std::size_t bytes, std::size_t alignment) noexcept;

/// A file of memory that has no name and lies in no file system that is mounted anywhere; -1, and errno, where there is
/// none. `flags` are those of memfd_create().
int memory_file(const char* name, unsigned flags) noexcept;
/// A number for the descriptor that is at most `room` below the limit of numbers, or below 1024, where scripts and
/// programs that count from 3 do not come upon it; the same number where there is none. `duplicate` is F_DUPFD or
/// F_DUPFD_CLOEXEC.
int moved_up(int number, int duplicate, rlim_t room) noexcept;

/// Whether this process may open so few files, fewer than 64, that a descriptor of which its program knows nothing may
/// be the one that it lacks. The soft limit says so (ulimit -n).
inline bool descriptors_are_few() noexcept {
  constexpr rlim_t many = 64;
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < many;
}

}  // namespace tutti::heap
