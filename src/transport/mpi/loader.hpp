/// @file
/// Ranks that an mpirun has started.
#pragma once

#include <optional>
#include <string_view>

#include "transport/mpi/plugin.hpp"
#include "transport/processes/process_world.hpp"

namespace tutti::runtime {

/// What an mpirun has told the process that it has started.
struct MpiStart {
  std::string_view mpi;   ///< "Open MPI", "MPICH"
  std::string_view rank;  ///< a number, as the environment has it
  bool is_alone;          ///< whether the host has no other rank, where the launcher tells it
};

/// Nothing where no mpirun has started this process.
std::optional<MpiStart> mpi_start();

/// Joins the world of the MPI whose mpirun started this process; null where none did.
///
/// It is the MPI that the program has, and else the one that the environment tells. Its plugin is looked for where
/// TUTTI_MPI_LIBRARY says; or else in the folder of the file that holds this code (the program, or a shared library),
/// where an installed program has it (`../lib/tutti` as seen from that folder) or an installed library (`tutti/`
/// there), and then along the file's run path, which the targets of CMake set. A program that has more rights than who
/// starts it heeds no variable, and so is alone.
/// Throws `Error(unsupported)` where there is no plugin, or none of this tutti.
/// All agree on what rank 0 proposes.
/// `end` is called where the program itself calls MPI_Finalize(), before MPI is gone.
Joined join_mpi(Threads threads, void (*end)() noexcept, Propose propose);

}  // namespace tutti::runtime
