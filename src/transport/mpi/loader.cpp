#include "transport/mpi/loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "transport/library_places.hpp"
#include "transport/mpi/host_world.hpp"
#include "transport/mpi/mpi_start.hpp"
#include "transport/mpi/reexecution.hpp"
#include "transport/processes/process_memory.hpp"

namespace tutti::runtime {
namespace {

namespace fs = std::filesystem;

std::string library_of(const Flavor& flavor) { return fmt::format("libtutti_mpi_{}.so", flavor.plugin); }

/// Returns the folders of the plugins as seen from the program, or from the shared library, wherever the tree was
/// moved.
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

/// Returns the path for dlopen(). A name without a folder is looked for along the run path of the file that holds this
/// code, which leads to the installed libraries (tutti::tutti of CMake sets it), and then in the folders of the
/// system's libraries.
std::string path_of(const Flavor& flavor) {
  if (std::string path = asked_path(); !path.empty()) return path;
  for (const std::string& folder : folders()) {
    const fs::path path = fs::path(folder) / library_of(flavor);
    std::error_code none;
    if (fs::exists(path, none)) return path;
  }
  return library_of(flavor);
}

/// Returns the remedy if the library at this path is none that can be used.
std::string remedy(const Flavor& flavor) {
  return asked_path().empty()
             ? fmt::format("install {}, or build tutti anew", flavor.name)
             : fmt::format("set TUTTI_MPI_LIBRARY to the path of {}, or not at all", library_of(flavor));
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
  if (asked_path().empty() && path == library_of(flavor) && why.starts_with(path)) {
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

/// Plain bytes.
struct ProposalMessage {
  Proposal proposal;
  std::array<char, 256> failure = {};  ///< ends with a zero; empty: there is a proposal

  void fail_for(std::string_view reason) {
    if (reason.empty()) reason = "it does not say why";
    reason.copy(failure.data(), failure.size() - 1);
  }
};

}  // namespace

Joined join_mpi(ThreadSupport threads, void (*end)() noexcept, Propose propose) {
  const Flavor* const flavor = flavor_of_this_process();
  if (flavor == nullptr) return {};
  link_reexecution();
  const bool shares = may_share_memory();
  if (shares) may_read_peers();  // a wrong setting is told before ranks wait for one another
  const Plugin& plugin = load(*flavor);
  const MpiRank joined = plugin.join(threads, end);
  const Proposal first = broadcast_proposal(plugin, joined.rank, propose);
  if (std::shared_ptr<World> host = world_of_host(plugin, joined, shares)) {
    host->agree_on(first);
    return {std::move(host), joined.rank};
  }
  joined.world->agree_on(first);
  // The world is not owned: the plugin ends it when the program ends, after the last communicator.
  return {std::shared_ptr<World>(std::shared_ptr<World>(), joined.world), joined.rank};
}

Proposal broadcast_proposal(const Plugin& plugin, int rank, Propose propose) {
  ProposalMessage message;
  std::exception_ptr failure;
  if (rank == 0) {
    try {
      message.proposal = propose();
    } catch (const std::exception& error) {
      failure = std::current_exception();
      message.fail_for(error.what());
    }
  }
  plugin.broadcast(&message, sizeof(message));
  if (failure) std::rethrow_exception(failure);
  if (message.failure.front() != '\0') fail(ErrorCode::peer_failed, "rank 0 failed: {}", message.failure.data());
  return message.proposal;
}

}  // namespace tutti::runtime
