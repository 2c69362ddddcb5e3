/// @file
/// Whether a program may need each descriptor that it can have.
#pragma once

#include <sys/resource.h>

namespace tutti::heap {

/// Whether this process may open so few files, fewer than 64, that a descriptor of which its program knows nothing may
/// be the one that it lacks. The soft limit says so (ulimit -n).
inline bool descriptors_are_few() noexcept {
  constexpr rlim_t many = 64;
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < many;
}

}  // namespace tutti::heap
