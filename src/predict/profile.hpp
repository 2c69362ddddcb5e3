/// @file
/// What messages cost on a machine, by all that connects ranks there, and where these numbers come from.
#pragma once

#include <string>

#include "predict/machine_costs.hpp"

namespace tutti {

/// The costs by which choices are made. All ranks of a communicator have the same.
struct Profile {
  MachineCosts threads = threads_costs;
  MachineCosts processes = processes_costs;
  MachineCosts mpi = mpi_costs;
  std::string origin = "built-in costs";  ///< for people
};

}  // namespace tutti
