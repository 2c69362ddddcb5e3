/// @file
/// What messages cost on a machine, by all that connects ranks there, and where these numbers come from.
#pragma once

#include <string>

#include "predict/machine_costs.hpp"

namespace tutti {

/// Where the costs of each transport come from, for people.
struct Origins {
  std::string threads = "built-in costs";
  std::string processes = "built-in costs";
  std::string mpi = "built-in costs";
};

/// The costs by which choices are made. All ranks of a communicator have the same.
struct Profile {
  MachineCosts threads = threads_costs;
  MachineCosts processes = processes_costs;
  MachineCosts mpi = mpi_costs;
  Origins origins;
};

}  // namespace tutti
