#include "runtime/new_machine.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#include "base/system/environment.hpp"
#include "base/text/split.hpp"
#include "predict/profile/stored_profile.hpp"
#include "transport/location.hpp"
#include "tutti/version.h"

extern char** environ;

namespace tutti::runtime {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr int most_ranks_tried = 48;
constexpr milliseconds most_time(280);

constexpr std::string_view too_short = "because its first use was too short to measure it; tutti tune does";

// Makes the file with a profile that holds nothing but why, or adds that to what there is; says whether that was done
// here, and not by another program.
bool claim(const fs::path& file, Transport transport) {
  std::error_code error;
  if (fs::exists(file, error)) return claim_first_use(file, transport, std::string(too_short));
  fs::create_directories(file.parent_path(), error);
  const fs::path beside = file.string() + "." + std::to_string(getpid());
  StoredProfile empty{.machine = machine_identity(), .tutti = TUTTI_VERSION};
  empty.first_use[transport] = too_short;
  std::ofstream stream(beside, std::ios::binary);
  stream << text_of(empty);
  stream.close();
  const bool is_written = !stream.fail();
  if (is_written) fs::create_hard_link(beside, file, error);
  std::error_code none;
  fs::remove(beside, none);
  return is_written && !error;
}

bool is_to_be_looked_at(Transport transport, int ranks) {
  if (transport != Transport::threads && transport != Transport::processes) return false;
  if (ranks < 2 || ranks > most_ranks_tried || UsableCores::of_this_process().count() < 2) return false;
  if (environment_variable("TUTTI_PROFILE") != nullptr || environment_variable("TUTTI_SEGMENT") != nullptr)
    return false;
  const std::string own = own_profile_file();
  const FoundProfile found = find_profile();
  if (own.empty() || found.file.empty()) return !own.empty();
  return found.file == own && found.complaint.empty() && !found.is_looked_at[transport];
}

// The process that measures reads and writes no file of the program's, and has a heap of its own.
std::vector<char*> environment_of_measurement() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (!text.starts_with("TUTTI_") && !text.starts_with("LD_PRELOAD=")) kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

// A program that ignores or blocks signals leaves that to its children, of which a launcher of ranks waits for them.
void set_usual_signals(posix_spawnattr_t& attributes) {
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  for (const int signal : {SIGCHLD, SIGPIPE, SIGTERM}) sigaddset(&signals, signal);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

// The process, which says nothing; 0 where the system starts none.
pid_t begin_to_measure(const std::string& command, Transport transport) {
  std::vector<std::string> words{command, "tune", "--brief", "--transport",
                                 transport == Transport::threads ? "threads" : "processes"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silent, standard, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t signals;
  posix_spawnattr_init(&signals);
  set_usual_signals(signals);
  pid_t child = 0;
  const int refused =
      posix_spawn(&child, command.c_str(), &silent, &signals, arguments.data(), environment_of_measurement().data());
  posix_spawnattr_destroy(&signals);
  posix_spawn_file_actions_destroy(&silent);
  return refused == 0 ? child : 0;
}

// The child's ranks are killed with it.
void end_in_time(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + most_time;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= end) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      return;
    }
    std::this_thread::sleep_for(milliseconds(2));
  }
}

bool is_command(const std::string& file) {
  std::error_code error;
  return file.starts_with('/') && fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::string installed_command() {
  if (is_command(TUTTI_INSTALLED_COMMAND)) return TUTTI_INSTALLED_COMMAND;
  const std::string path = text_in_environment("PATH");
  for (const std::string_view folder : split(path, ':')) {
    const std::string file = std::string(folder) + "/tutti";
    if (is_command(file)) return file;
  }
  return "";
}

void look_at_new_machine(Transport transport, int ranks, const std::string& command) noexcept {
  try {
    if (command.empty() || !is_to_be_looked_at(transport, ranks) || !claim(own_profile_file(), transport)) return;
    if (const pid_t child = begin_to_measure(command, transport); child > 0) end_in_time(child);
  } catch (const std::exception&) {
    return;  // the built-in costs hold
  }
}

}  // namespace tutti::runtime
