/// @file
/// Starts an MPI program with the library that takes over its collectives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/preloads.hpp"

namespace tutti::launch {

/// The MPIs that such a library is built for.
struct MpiLauncher {
  std::string name;     ///< "Open MPI", "MPICH"
  std::string library;  ///< "libtutti-openmpi.so"
  /// The words before the launcher's own that give the ranks, and not itself, a variable "NAME=value".
  std::vector<std::string> setting(const std::string& variable) const;
  /// The command with words of setting() for each of these variables, where they hold for all ranks: Open MPI's for
  /// those of one program alone, of several with a colon between them. Libraries that the command itself has the
  /// launcher preload come behind those of the variables: of a variable that is given twice, the last word holds. What
  /// follows a program is its own, up to a colon.
  std::vector<std::string> with_variables(const std::vector<std::string>& command,
                                          const std::vector<std::string>& variables) const;
  /// The libraries that the word at that place is a list of, as the last word of setting() of LD_PRELOAD; none where it
  /// hands on what the launcher's own environment names, which the variables have already. Nothing for any other word.
  std::optional<std::string> preloaded_by(const std::vector<std::string>& command, std::size_t at) const;
};

/// Whose launcher that program is, as it says itself (`mpirun --version`). Throws `Error(invalid_argument)` for a
/// program that cannot be started, and `Error(unsupported)` for one of neither MPI.
MpiLauncher mpi_launcher_of(const std::string& program);

/// Returns the path of that library, as seen from this program: where it was built, or installed. Throws
/// `Error(unsupported)` if it is not there, or cannot be preloaded from there.
std::string preloaded_library(const MpiLauncher& launcher);

/// Becomes the command, whose first word is an MPI's launcher: `mpirun -n 4 ./program`. See preloading() for what is
/// preloaded: nothing where the limit of addresses leaves MPICH's ranks too few for it to serve any call, and neither a
/// report nor checks are asked for. Returns only by throwing: as above, and where the program cannot be started.
[[noreturn]] void become_mpi(const std::vector<std::string>& command, Heap heap = Heap::shared);

}  // namespace tutti::launch
