#include "app/surroundings.hpp"

namespace tutti::app {

bool output_is_terminal() { return false; }

bool errors_are_terminal() { return false; }

bool is_standard_output(const std::string& /*file*/) { return false; }

int output_columns() { return 0; }

int usable_processors() { return 1; }

void run_in_threads(int /*threads*/, const std::function<void()>& work, const std::function<void()>& watch) {
  work();
  if (watch) watch();
}

}  // namespace tutti::app
