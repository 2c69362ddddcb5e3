/// @file
/// A simulation's parameters in its own unit of time.
#pragma once

#include <memory>

#include "simulate/simulate.hpp"
#include "simulate/time_unit.hpp"

namespace tutti {

/// The network, the machine and the options with all times as multiples of their common unit (time_unit.hpp).
/// Keeps a reference to the network, whose links it asks only where they have times of their own.
class Rescaled {
 public:
  Rescaled(const Topology& topology, const Machine& machine, const SimulationOptions& options);

  const Topology& topology() const { return links_ ? *links_ : topology_; }
  const Machine& machine() const { return machine_; }
  const SimulationOptions& options() const { return options_; }
  /// The result of the simulation, from units to seconds.
  void to_seconds(Simulation& result) const;

 private:
  const Topology& topology_;
  Machine machine_;
  SimulationOptions options_;
  TimeUnit unit_;
  std::unique_ptr<const Topology> links_;
};

}  // namespace tutti
