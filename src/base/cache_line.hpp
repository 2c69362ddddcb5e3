/// @file
/// The distance at which two threads' writes do not disturb each other.
#pragma once

#include <cstddef>

namespace tutti {

/// Two cache lines, because processors fetch them in pairs.
inline constexpr std::size_t line_pair = 128;

}  // namespace tutti
