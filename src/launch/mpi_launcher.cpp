#include "launch/mpi_launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/check.hpp"
#include "transport/command_words.hpp"
#include "transport/library_places.hpp"

namespace tutti::launch {
namespace {

constexpr std::string_view preload_equals = "LD_PRELOAD=";

[[noreturn]] void execute(const std::vector<std::string>& command) {
  execvp(command.front().c_str(), runtime::pointers_to(command).data());
  fail(ErrorCode::invalid_argument, "{} cannot be started ({})", command.front(),
       std::generic_category().message(errno));
}

/// What the program writes when it is asked for its version.
std::string version_of(const std::string& program) {
  std::array<int, 2> pipe_ends{};
  require(pipe2(pipe_ends.data(), O_CLOEXEC) == 0, "{} cannot be asked for its version: no pipe is left", program);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    dup2(pipe_ends[1], STDERR_FILENO);
    execlp(program.c_str(), program.c_str(), "--version", nullptr);
    _exit(127);
  }
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 512> piece{};
  for (ssize_t n = 0; child > 0 && (n = read(pipe_ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  close(pipe_ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  require(
      child > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127),
      "{} cannot be started: it begins the command that runs an MPI program, as in 'tutti mpi mpirun -n 4 ./program'",
      program);
  return text;
}

}  // namespace

std::vector<std::string> MpiLauncher::setting(const std::string& variable) const {
  const std::size_t equals = variable.find('=');
  if (name == "MPICH") return {"-genv", variable.substr(0, equals), variable.substr(equals + 1)};
  return {"-x", variable};
}

std::optional<std::string> MpiLauncher::preloaded_by(const std::vector<std::string>& command, std::size_t at) const {
  const bool is_mpich = name == "MPICH";
  const std::size_t words = is_mpich ? 2 : 1;  // from the option to the list
  if (at < words) return std::nullopt;
  std::string_view option = command[at - words];
  if (option.starts_with("--")) option.remove_prefix(1);
  const bool sets = is_mpich ? option == "-genv" || option == "-env" : option == "-x";
  const std::string what = is_mpich ? command[at - 1] + '=' + command[at] : command[at];
  if (sets && what.starts_with(preload_equals)) return what.substr(preload_equals.size());
  const bool hands_on = sets && what + '=' == preload_equals;  // the variable as the launcher has it
  return hands_on ? std::optional(std::string()) : std::nullopt;
}

std::vector<std::string> MpiLauncher::with_variables(const std::vector<std::string>& command,
                                                     const std::vector<std::string>& variables) const {
  std::vector<std::string> settings;
  std::string preloaded;
  for (const std::string& variable : variables) {
    for (const std::string& word : setting(variable)) settings.push_back(word);
    if (variable.starts_with(preload_equals)) preloaded = variable;
  }
  std::vector<std::string> all;
  for (std::size_t k = 0; k < command.size(); ++k) {
    const std::optional<std::string> own = preloaded.empty() ? std::nullopt : preloaded_by(command, k);
    all.push_back(own ? setting(preloaded + (own->empty() ? "" : ":") + *own).back() : command[k]);
    const bool begins = k == 0 || (name != "MPICH" && command[k] == ":");
    if (begins) all.insert(all.end(), settings.begin(), settings.end());
  }
  return all;
}

MpiLauncher mpi_launcher_of(const std::string& program) {
  const std::string version = version_of(program);
  const auto says = [&](std::string_view words) { return version.find(words) != std::string::npos; };
  if (says("Open MPI") || says("OpenRTE")) return {"Open MPI", "libtutti-openmpi.so"};
  if (says("HYDRA") || says("MPICH")) return {"MPICH", "libtutti-mpich.so"};
  fail(ErrorCode::unsupported,
       "{} is neither Open MPI's nor MPICH's mpirun: have your launcher set LD_PRELOAD to libtutti-openmpi.so or "
       "libtutti-mpich.so for the ranks",
       program);
}

std::string preloaded_library(const MpiLauncher& launcher) {
  const std::string path = runtime::library_beside(launcher.library);
  if (path.empty())
    fail(ErrorCode::unsupported, "{} is in none of the folders {}: build tutti where {} is installed", launcher.library,
         fmt::join(runtime::library_folders(), ", "), launcher.name);
  if (!runtime::can_be_preloaded(path))
    fail(ErrorCode::unsupported,
         "{} cannot be preloaded, because LD_PRELOAD ends a name at a space or a colon: move tutti "
         "to a folder whose path has none",
         path);
  return path;
}

void become_mpi(const std::vector<std::string>& command, Heap heap) {
  const MpiLauncher launcher = mpi_launcher_of(command.front());
  std::vector<std::string> variables = preloading(heap, preloaded_library(launcher));
  // A program of tutti begins again with the shared heap where it has it not.
  if (heap == Heap::own) variables.push_back("TUTTI_HEAP=0");
  execute(launcher.with_variables(command, variables));
}

}  // namespace tutti::launch
