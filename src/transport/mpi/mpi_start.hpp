/// @file
/// Start of this process by an mpirun, and the MPI that it belongs to.
#pragma once

#include <optional>
#include <string_view>

namespace tutti::runtime {

/// An MPI that there is a plugin for.
struct Flavor {
  std::string_view name;
  std::string_view plugin;       ///< beginning of Plugin::mpi
  const char* symbol = nullptr;  ///< symbol of its library, and of no other MPI's
};

/// Returns the MPI whose mpirun started this process; null where none did.
const Flavor* flavor_of_this_process();

/// Message of an mpirun to the process that it has started.
struct MpiStart {
  std::string_view mpi;   ///< "Open MPI", "MPICH"
  std::string_view rank;  ///< a number, as the environment has it
  int ranks_here;         ///< number of ranks of its host; 0 where the launcher does not tell it
};

/// Nothing where no mpirun has started this process.
std::optional<MpiStart> mpi_start();

}  // namespace tutti::runtime
