/// @file
/// Messages of the library to whoever runs its program.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace tutti {

/// Writes the formatted text to standard error as one piece. Where standard error is closed, or the disk behind it is
/// full, the text is lost: a program goes on that nobody listens to. (fmt::print() throws there.)
template <typename... Args>
void tell_user(fmt::format_string<Args...> text, Args&&... args) {
  const std::string whole = fmt::format(text, std::forward<Args>(args)...);
  static_cast<void>(std::fwrite(whole.data(), 1, whole.size(), stderr));
}

}  // namespace tutti
