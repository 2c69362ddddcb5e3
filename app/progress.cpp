#include "app/progress.hpp"

#include <cstdio>

#include "app/surroundings.hpp"
#include "base/tell_user.hpp"

namespace tutti::app {

Progress progress_bar(const std::string& verb, std::size_t total) {
  if (!errors_are_terminal()) return {};
  return [verb, total](std::size_t done) {
    constexpr std::size_t width = 40;
    const std::size_t filled = total == 0 ? width : done * width / total;
    tell_user("\r{} [{:#>{}}{:->{}}] {} of {}", verb, "", filled, "", width - filled, done, total);
    std::fflush(stderr);
  };
}

std::function<void(std::int64_t, std::int64_t)> simulation_bar(const std::string& verb) {
  if (!errors_are_terminal()) return {};
  return [verb](std::int64_t passed, std::int64_t all) {
    progress_bar(verb, static_cast<std::size_t>(all))(static_cast<std::size_t>(passed));
  };
}

void clear_progress_bar() {
  if (errors_are_terminal()) tell_user("\r\033[K");
}

}  // namespace tutti::app
