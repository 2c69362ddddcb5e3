/// @file
/// Environment of this process: its variables, those of MPI's launchers, and the machine's name.
#pragma once

#include <cstdlib>
#include <string>

namespace tutti {

/// The variable's value; null where it is not set.
///
/// A program that has more rights than who starts it (setuid, setgid, file capabilities) is told of no variable: its
/// starter could otherwise have it load a library or write a file. All reading of the environment goes through here.
inline const char* environment_variable(const char* name) {
#ifdef __GLIBC__
  return secure_getenv(name);
#else
  return std::getenv(name);
#endif
}

/// Returns a variable's text; empty if it is not set.
inline std::string text_in_environment(const char* name) {
  const char* const value = environment_variable(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// Returns the folder for programs of tutti in the user's own: that of `variable`, or the one below $HOME; empty if
/// neither is set to a path from the root on. Relative ones count as unset: XDG Base Directory Specification, 0.8, 2021,
/// "Basics".
inline std::string own_folder(const char* variable, const std::string& below_home) {
  const std::string folder = text_in_environment(variable);
  if (folder.starts_with('/')) return folder + "/tutti";
  const std::string home = text_in_environment("HOME");
  return home.starts_with('/') ? home + below_home + "/tutti" : std::string();
}

/// Returns the folder of settings, $XDG_CONFIG_HOME/tutti or $HOME/.config/tutti; see own_folder().
inline std::string own_configuration() { return own_folder("XDG_CONFIG_HOME", "/.config"); }

/// Returns the folder of what programs keep for the user, $XDG_DATA_HOME/tutti or $HOME/.local/share/tutti; see
/// own_folder().
inline std::string own_data() { return own_folder("XDG_DATA_HOME", "/.local/share"); }

/// Environment variables that one launcher sets. Null: it does not tell that.
struct MpiLauncherVariables {
  const char* mpi;         ///< whose programs it starts; null: any MPI's
  const char* rank;        ///< number of this process
  const char* ranks;       ///< ranks in the job
  const char* ranks_here;  ///< ranks on this rank's host
  const char* job;         ///< its name
};

/// PMIx is spoken by launchers other than Open MPI's own, too: Slurm's srun, PRRTE's prterun.
inline constexpr const char* pmix_job = "PMIX_NAMESPACE";

/// The first that applies counts.
inline constexpr MpiLauncherVariables mpi_launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", pmix_job},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", nullptr},
    {nullptr, "PMIX_RANK", nullptr, nullptr, pmix_job},
};

/// "node17"; empty where the system does not say.
std::string name_of_host();

}  // namespace tutti
