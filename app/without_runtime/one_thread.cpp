// The answers of a platform without threads.

#include "app/command_line/platform.hpp"

namespace tutti::app {

int usable_processors() { return 1; }

void run_in_threads(int /*threads*/, const std::function<void()>& work, const std::function<void()>& watch) {
  work();
  if (watch) watch();
}

}  // namespace tutti::app
