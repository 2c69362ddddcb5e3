/// @file
/// Time that something takes, or may take.
#pragma once

#include <chrono>

namespace tutti {

/// A time in seconds. Every std::chrono duration becomes one by itself: `5s`, `200ms`; 1.5 seconds are Duration(1.5).
using Duration = std::chrono::duration<double>;

/// The timeout of a rank that waits as long as the ranks that it waits for live.
inline constexpr Duration no_timeout = Duration::max();

}  // namespace tutti
