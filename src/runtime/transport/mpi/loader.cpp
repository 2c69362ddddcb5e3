#include "runtime/transport/mpi/loader.hpp"

#include <dlfcn.h>
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
  std::string_view library;
};

const std::vector<Flavor>& flavors() {
  static const std::vector<Flavor> all = {
      {"Open MPI", {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, "libtutti_mpi_openmpi.so"},
      {"MPICH", {"PMI_SIZE", "PMI_RANK"}, "libtutti_mpi_mpich.so"},
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

std::string library_of(const Flavor& flavor) {
  if (const char* path = std::getenv("TUTTI_MPI_LIBRARY"); path != nullptr && *path != '\0') return path;
  for (const std::string& folder : folders()) {
    const fs::path path = fs::path(folder) / flavor.library;
    std::error_code none;
    if (fs::exists(path, none)) return path;
  }
  fail(ErrorCode::unsupported,
       "{0} started this program, but {1} is not in {2}: build tutti where {0} is installed, or set TUTTI_MPI_LIBRARY to "
       "the library's path",
       flavor.name, flavor.library, fmt::join(folders(), ", "));
}

const Plugin& load(const Flavor& flavor) {
  const std::string path = library_of(flavor);
  // Global: the parts that an MPI loads by itself look for it there. Never closed: an MPI does not survive that.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    fail(ErrorCode::unsupported, "{} cannot be loaded ({}): install {}, or build tutti anew", path, why, flavor.name);
  }
  const auto function = reinterpret_cast<PluginFunction>(dlsym(library, plugin_function));
  if (function == nullptr) {
    fail(ErrorCode::unsupported, "{} is no library of tutti: set TUTTI_MPI_LIBRARY to {}", path, flavor.library);
  }
  const Plugin& plugin = *function();
  if (plugin.layout != plugin_layout || plugin.world_bytes != shared_bytes) {
    fail(ErrorCode::unsupported, "{} has layout {}/{}, this program has {}/{}: build both with the same tutti", path,
         plugin.layout, plugin.world_bytes, plugin_layout, shared_bytes);
  }
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
