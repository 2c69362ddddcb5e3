#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "app/command_line/platform.hpp"
#include "base/check.hpp"
#include "transport/location.hpp"
#include "transport/start_thread.hpp"

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

bool takes_user_settings() { return true; }

std::optional<int> run_program(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int refused = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (refused != 0) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string scratch_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "tutti-XXXXXX").string();
  require(mkdtemp(name.data()) != nullptr, "no folder can be made as '{}'; name another in TMPDIR", name);
  return name;
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
