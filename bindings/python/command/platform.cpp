// The platform of the command inside a program of Python: threads, and no terminal on which somebody reads along.

#include "app/command_line/platform.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

#include "base/check.hpp"

namespace tutti::app {

bool takes_user_settings() { return false; }

std::string scratch_folder() {
  fail(ErrorCode::unsupported, "PDF and PNG are written by the command: python -m tutti draw … -o FILE.pdf");
}

std::string why_no_machine_command(const std::string& name) {
  return "'" + name + "' runs on this machine, and not inside a program: start python -m tutti " + name;
}

int usable_processors() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// The caller works, too, and alone where the system grants no thread.
void run_in_threads(int threads, const std::function<void()>& work, const std::function<void()>& watch) {
  {
    std::vector<std::jthread> others;
    try {
      for (int k = 1; k < threads; ++k) others.emplace_back(work);
    } catch (const std::system_error&) {  // those that were granted share the work
    }
    work();
  }
  if (watch) watch();
}

}  // namespace tutti::app
