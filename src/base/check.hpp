/// @file
/// Checks that throw `tutti::Error` with a formatted sentence.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "tutti/error.hpp"

namespace tutti {

/// Throws `Error(code)` with the formatted message.
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(code, fmt::format(text, std::forward<Args>(args)...));
}

/// Throws `Error(invalid_argument)` unless `condition` holds. The arguments are evaluated either way; keep them cheap.
template <typename... Args>
void require(bool condition, fmt::format_string<Args...> text, Args&&... args) {
  if (!condition) fail(ErrorCode::invalid_argument, text, std::forward<Args>(args)...);
}

}  // namespace tutti
