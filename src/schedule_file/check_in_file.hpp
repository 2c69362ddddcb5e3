/// @file
/// Problems that files pose.
#pragma once

#include <string_view>

#include "base/check.hpp"
#include "schedule/problem.hpp"

namespace tutti {

/// As check(), with the file's name before what is wrong.
inline void check_in_file(const Problem& problem, std::string_view file) {
  try {
    check(problem);
  } catch (const Error& error) {
    fail(error.code(), "{}: {}", file, error.what());
  }
}

}  // namespace tutti
