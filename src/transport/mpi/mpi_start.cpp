#include "transport/mpi/mpi_start.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <limits>

#include "base/system/environment.hpp"
#include "base/units.hpp"

namespace tutti::runtime {
namespace {

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

}  // namespace

const Flavor* flavor_of_this_process() {
  const MpiLauncherVariables* const launcher = launcher_of_this_process();
  return launcher == nullptr ? nullptr : &flavor_under(*launcher);
}

std::optional<MpiStart> mpi_start() {
  const MpiLauncherVariables* const launcher = launcher_of_this_process();
  if (launcher == nullptr) return std::nullopt;
  std::optional<std::int64_t> here;
  if (launcher->ranks_here != nullptr)
    here = whole_number(text_in_environment(launcher->ranks_here), 1, std::numeric_limits<int>::max());
  return MpiStart{flavor_under(*launcher).name, environment_variable(launcher->rank),
                  static_cast<int>(here.value_or(0))};
}

}  // namespace tutti::runtime
