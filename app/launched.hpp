/// @file
/// Whether this command is itself one of the ranks that a launcher has started.
#pragma once

#include <optional>
#include <string>

namespace tutti::app {

struct Launched {
  std::string launcher;   ///< "tutti run", "the mpirun of Open MPI"
  std::string transport;  ///< between its ranks: "processes", "mpi"
  bool is_first = false;  ///< whether this is rank 0, which speaks for all
};

/// Nothing where the command was started by itself.
std::optional<Launched> launched();

}  // namespace tutti::app
