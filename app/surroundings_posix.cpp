#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "app/surroundings.hpp"
#include "transport/start_thread.hpp"
#include "transport/usable_cores.hpp"

namespace tutti::app {

bool output_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

bool errors_are_terminal() { return isatty(STDERR_FILENO) != 0; }

bool is_standard_output(const std::string& file) {
  struct stat named {};
  struct stat output {};
  return stat(file.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &output) == 0 && named.st_dev == output.st_dev &&
         named.st_ino == output.st_ino;
}

int output_columns() {
  winsize size{};
  return output_is_terminal() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int usable_processors() { return runtime::UsableCores::of_this_process().count(); }

void run_in_threads(int threads, const std::function<void()>& work, const std::function<void()>& watch) {
  using namespace std::chrono_literals;
  // Relaxed: a count alone, for the watcher; joining publishes what the threads have written.
  std::atomic<int> left = threads;
  std::vector<std::jthread> running;
  for (int k = 0; k < threads; ++k) {
    running.push_back(start_thread<std::jthread>([&] {
      work();
      left.fetch_sub(1, std::memory_order_relaxed);
    }));
  }
  while (watch && left.load(std::memory_order_relaxed) > 0) {
    watch();
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace tutti::app
