#include "transport/mpi/loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "base/environment.hpp"
#include "base/launchers.hpp"
#include "transport/library_places.hpp"
#include "transport/mpi/begin_again.hpp"
#include "transport/mpi/first_proposal.hpp"
#include "transport/mpi/host_world.hpp"
#include "transport/processes/process_memory.hpp"

namespace tutti::runtime {
namespace {

namespace fs = std::filesystem;

/// An MPI that there is a plugin for.
struct Flavor {
  std::string_view name;
  std::string_view plugin;       ///< what Plugin::mpi begins with
  const char* symbol = nullptr;  ///< of its library, and of no other MPI's

  std::string library() const { return fmt::format("libtutti_mpi_{}.so", plugin); }
};

constexpr Flavor openmpi = {"Open MPI", "openmpi", "ompi_mpi_comm_world"};
constexpr Flavor mpich = {"MPICH", "mpich", "MPIX_Grequest_start"};

const MpiLauncherVariables* launcher_of_this_process() {
  const auto is_set = [](const char* name) { return name != nullptr && environment_variable(name) != nullptr; };
  for (const MpiLauncherVariables& launcher : mpi_launchers) {
    if (is_set(launcher.rank) && is_set(launcher.ranks != nullptr ? launcher.ranks : launcher.job)) return &launcher;
  }
  return nullptr;
}

/// The one whose functions the program has; else, or where it has both, the one whose launcher that is.
const Flavor& flavor_under(const MpiLauncherVariables& launcher) {
  const auto is_there = [](const Flavor& flavor) { return dlsym(RTLD_DEFAULT, flavor.symbol) != nullptr; };
  if (is_there(openmpi) != is_there(mpich)) return is_there(mpich) ? mpich : openmpi;
  return launcher.mpi != nullptr && launcher.mpi == mpich.name ? mpich : openmpi;
}

/// Where the plugins lie as seen from the program, or from the shared library, wherever the tree was moved.
std::vector<std::string> folders() {
  const fs::path own = own_folder();
  if (own.empty()) return {};
  std::vector<std::string> all{own, (own / TUTTI_PLUGINS_FROM_PROGRAM).lexically_normal()};
  if (!own_library().empty()) all.push_back(own / "tutti");
  return all;
}

/// The path that the user asks for; empty: none.
std::string asked_path() {
  const char* const path = environment_variable("TUTTI_MPI_LIBRARY");
  return path == nullptr ? "" : path;
}

/// What dlopen() is to open. A name without a folder is looked for along the run path of the file that holds this code,
/// which leads to the installed libraries (tutti::tutti of CMake sets it), and then where the system's libraries are.
std::string path_of(const Flavor& flavor) {
  if (std::string path = asked_path(); !path.empty()) return path;
  for (const std::string& folder : folders()) {
    const fs::path path = fs::path(folder) / flavor.library();
    std::error_code none;
    if (fs::exists(path, none)) return path;
  }
  return flavor.library();
}

/// What helps where the library at this path is none that can be used.
std::string remedy(const Flavor& flavor) {
  return asked_path().empty() ? fmt::format("install {}, or build tutti anew", flavor.name)
                              : fmt::format("set TUTTI_MPI_LIBRARY to the path of {}, or not at all", flavor.library());
}

void check(const Plugin& plugin, const std::string& path, const Flavor& flavor) {
  if (std::string_view(plugin.layout) != TUTTI_MPI_LAYOUT) {
    fail(ErrorCode::unsupported, "{} is of layout {}, this program of {}: build both with the same tutti", path,
         plugin.layout, TUTTI_MPI_LAYOUT);
  }
  if (!std::string_view(plugin.mpi).starts_with(flavor.plugin)) {
    fail(ErrorCode::unsupported, "{} is for {}, but {} started this program: {}", path, plugin.mpi, flavor.name,
         remedy(flavor));
  }
}

[[noreturn]] void fail_to_load(const std::string& path, std::string_view why, const Flavor& flavor) {
  if (asked_path().empty() && path == flavor.library() && why.starts_with(path)) {
    fail(ErrorCode::unsupported,
         "{0} started this program, but {1} is neither in {2} nor in the program's run path: build tutti where {0} is "
         "installed, or set TUTTI_MPI_LIBRARY to the library's path",
         flavor.name, path, fmt::join(folders(), ", "));
  }
  fail(ErrorCode::unsupported, "{} cannot be loaded ({}): {}", path, why, remedy(flavor));
}

const Plugin& load(const Flavor& flavor) {
  const std::string path = path_of(flavor);
  // Global: the parts that an MPI loads by itself look for it there. Never closed: an MPI does not survive that.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) fail_to_load(path, dlerror(), flavor);
  const auto function = reinterpret_cast<PluginFunction>(dlsym(library, plugin_function));
  if (function == nullptr) {
    fail(ErrorCode::unsupported, "{} is no library of tutti for an MPI: {}", path, remedy(flavor));
  }
  const Plugin& plugin = *function();
  check(plugin, path, flavor);
  return plugin;
}

}  // namespace

std::optional<MpiStart> mpi_start() {
  const MpiLauncherVariables* const launcher = launcher_of_this_process();
  if (launcher == nullptr) return std::nullopt;
  return MpiStart{flavor_under(*launcher).name, environment_variable(launcher->rank),
                  launcher->ranks_here != nullptr && text_in_environment(launcher->ranks_here) == "1"};
}

Joined join_mpi(Threads threads, void (*end)() noexcept, Propose propose) {
  const MpiLauncherVariables* const launcher = launcher_of_this_process();
  if (launcher == nullptr) return {};
  keep_beginning();
  const bool shares = may_share_memory();
  if (shares) may_read_peers();  // what is set amiss is said before ranks wait for one another
  const Plugin& plugin = load(flavor_under(*launcher));
  const MpiRank joined = plugin.join(threads, end);
  const Proposal first = first_proposal(plugin, joined.rank, propose);
  if (std::shared_ptr<World> host = world_of_host(plugin, joined, shares)) {
    host->agree_on(first);
    return {std::move(host), joined.rank};
  }
  joined.world->agree_on(first);
  // Not owned: the plugin ends it when the program ends, after the last communicator.
  return {std::shared_ptr<World>(std::shared_ptr<World>(), joined.world), joined.rank};
}

}  // namespace tutti::runtime
