#include "runtime/transport/mpi/loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"

namespace tutti::runtime {
namespace {

namespace fs = std::filesystem;

/// An MPI, and what its mpirun sets in the environment of the processes that it starts.
struct Flavor {
  std::string_view name;
  std::vector<const char*> variables;
  std::string_view plugin;  ///< what Plugin::mpi begins with

  std::string library() const { return fmt::format("libtutti_mpi_{}.so", plugin); }
};

const std::vector<Flavor>& flavors() {
  static const std::vector<Flavor> all = {
      {"Open MPI", {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, "openmpi"},
      {"MPICH", {"PMI_SIZE", "PMI_RANK"}, "mpich"},
  };
  return all;
}

const Flavor* flavor_of_this_process() {
  for (const Flavor& flavor : flavors()) {
    bool set = true;
    for (const char* variable : flavor.variables) set = set && std::getenv(variable) != nullptr;
    if (set) return &flavor;
  }
  return nullptr;
}

std::vector<std::string> folders() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  return {program, program.parent_path() / TUTTI_LIBRARY_DIR, TUTTI_MPI_BUILD_DIR, TUTTI_MPI_INSTALL_DIR};
}

/// The path that the user asks for; empty: none.
std::string asked_path() {
  const char* const path = std::getenv("TUTTI_MPI_LIBRARY");
  return path == nullptr ? "" : path;
}

std::string path_of(const Flavor& flavor) {
  if (std::string path = asked_path(); !path.empty()) return path;
  for (const std::string& folder : folders()) {
    const fs::path path = fs::path(folder) / flavor.library();
    std::error_code none;
    if (fs::exists(path, none)) return path;
  }
  fail(ErrorCode::unsupported,
       "{0} started this program, but {1} is not in {2}: build tutti where {0} is installed, or set TUTTI_MPI_LIBRARY "
       "to the library's path",
       flavor.name, flavor.library(), fmt::join(folders(), ", "));
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

const Plugin& load(const Flavor& flavor) {
  const std::string path = path_of(flavor);
  // Global: the parts that an MPI loads by itself look for it there. Never closed: an MPI does not survive that.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    fail(ErrorCode::unsupported, "{} cannot be loaded ({}): {}", path, why, remedy(flavor));
  }
  const auto function = reinterpret_cast<PluginFunction>(dlsym(library, plugin_function));
  if (function == nullptr) {
    fail(ErrorCode::unsupported, "{} is no library of tutti for an MPI: {}", path, remedy(flavor));
  }
  const Plugin& plugin = *function();
  check(plugin, path, flavor);
  return plugin;
}

}  // namespace

Joined join_mpi(Threads threads) {
  const Flavor* const flavor = flavor_of_this_process();
  if (flavor == nullptr) return {};
  const MpiRank joined = load(*flavor).join(threads);
  // Not owned: the plugin ends it when the program ends, after the last communicator.
  return {std::shared_ptr<World>(std::shared_ptr<World>(), joined.world), joined.rank};
}

}  // namespace tutti::runtime
