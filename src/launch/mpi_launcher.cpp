#include "launch/mpi_launcher.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "launch/descriptor.hpp"
#include "transport/command_words.hpp"
#include "transport/library_places.hpp"

namespace tutti::launch {
namespace {

constexpr std::string_view preload_equals = "LD_PRELOAD=";

/// Returns the program's answer when it is asked for its version.
std::string version_of(const std::string& program) {
  Pipe pipe = Pipe::make();
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe.writer.number(), STDOUT_FILENO);
    dup2(pipe.writer.number(), STDERR_FILENO);
    execlp(program.c_str(), program.c_str(), "--version", nullptr);
    _exit(127);
  }
  pipe.writer.reset();
  std::string text;
  std::array<char, 512> piece{};
  for (ssize_t n = 0; child > 0 && (n = read(pipe.reader.number(), piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  pipe.reader.reset();
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  require(
      child > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127),
      "{} cannot be started: it begins the command that runs an MPI program, as in 'tutti mpi mpirun -n 4 ./program'",
      program);
  return text;
}

bool is_program(const std::string& word) {
  namespace fs = std::filesystem;
  const auto can_run = [](const fs::path& file) {
    std::error_code none;
    return fs::is_regular_file(file, none) && access(file.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string::npos) return can_run(word);
  std::istringstream folders(text_in_environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (can_run(fs::path(folder) / word)) return true;
  }
  return false;
}

/// Returns how many values follow an option whose values may be programs, or look like them; nothing for any other
/// option.
std::optional<std::size_t> values_of(std::string_view option) {
  static constexpr std::array two{"mca", "gmca", "genv", "env"};
  static constexpr std::array one{"x",           "launch-agent",
                                  "launcher",    "launcher-exec",
                                  "bootstrap",   "bootstrap-exec",
                                  "rmk",         "debugger",
                                  "hostfile",    "default-hostfile",
                                  "machinefile", "rankfile",
                                  "rf",          "f",
                                  "host",        "hosts",
                                  "H",           "app",
                                  "configfile",  "am",
                                  "tune",        "prefix",
                                  "wdir",        "wd"};
  option.remove_prefix(option.starts_with("--") ? 2 : 1);
  if (std::find(two.begin(), two.end(), option) != two.end()) return 2;
  if (std::find(one.begin(), one.end(), option) != one.end()) return 1;
  return std::nullopt;
}

/// Returns the index of the program whose launcher's words begin at `from`: behind the options and their values. A word
/// that is no program is a value of an option about which values_of() says nothing.
std::size_t place_of_program(const std::vector<std::string>& command, std::size_t from) {
  std::size_t at = from;
  while (at < command.size() && command[at].starts_with('-')) {
    const std::optional<std::size_t> values = values_of(command[at]);
    ++at;
    if (values) {
      at += *values;
      continue;
    }
    while (at < command.size() && !command[at].starts_with('-') && !is_program(command[at])) ++at;
  }
  return at;
}

/// Whether a rank of MPICH's may have so few addresses that its host would share no memory, as far as this process's
/// own limit tells (src/mpi_job/process/host_registry.cpp): 64 MiB and 4 MiB for each rank are to be left after
/// MPI_Init, in which a program comes to 108 MB. The code of both libraries takes 4.2 MB, which may be those that the
/// program lacks.
bool has_few_addresses_for_mpich() {
  constexpr rlim_t least = rlim_t{128} << 20;
  rlimit limit = {};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < least;
}

bool is_asked_for(const char* variable) {
  const std::string value = text_in_environment(variable);
  return !value.empty() && value != "0";
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
  std::size_t program = place_of_program(command, 1);
  for (std::size_t k = 0; k < command.size(); ++k) {
    if (command[k] == ":") program = place_of_program(command, k + 1);
    const bool is_launchers = k < program && !preloaded.empty();
    const std::optional<std::string> own = is_launchers ? preloaded_by(command, k) : std::nullopt;
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
  // Whoever asks for a report reads there why everything is MPI's.
  const bool asks = is_asked_for("TUTTI_MPI_REPORT") || is_asked_for("TUTTI_MPI_CHECK");
  if (launcher.name == "MPICH" && !asks && has_few_addresses_for_mpich()) become(command);
  std::vector<std::string> variables = preloading(heap, preloaded_library(launcher));
  // A program of tutti begins again with the shared heap where it has it not.
  if (heap == Heap::own) variables.push_back("TUTTI_HEAP=0");
  become(launcher.with_variables(command, variables));
}

}  // namespace tutti::launch
