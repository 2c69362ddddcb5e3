#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace tutti::app {

Progress progress_bar(const std::string& verb, std::size_t total) {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [verb, total](std::size_t done) {
    constexpr std::size_t width = 40;
    const std::size_t filled = total == 0 ? width : done * width / total;
    fmt::print(stderr, "\r{} [{:#>{}}{:->{}}] {} of {}", verb, "", filled, "", width - filled, done, total);
    std::fflush(stderr);
  };
}

void clear_progress_bar() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace tutti::app
