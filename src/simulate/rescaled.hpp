/// @file
/// A simulation's parameters in its own unit of time, and that unit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "simulate/simulation.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// The greatest time of which all times of a simulation are whole multiples. A time counts as the decimal number of 15
/// digits next to it, where that is within two units of its last place: those are the digits that a double keeps of a
/// decimal number, and a product like 3 · 0.1 is such a number but for its rounding. Other times count to 17 digits.
///
/// Sums of such multiples are exact, so that events that ought to fall together do; and a simulation whose times are
/// all five times as long runs on the same numbers: it decides alike, and takes five times as long to the last bits.
///
/// Unit in which all times are whole multiples. If the greatest multiple would exceed 2^126, the unit is the longest
/// time, and the multiples are rounded.
class TimeUnit {
 public:
  /// For these times and for each of them divided by `parts`. Zeros do not count.
  explicit TimeUnit(std::span<const double> seconds, std::int64_t parts = 1);

  /// One of the times that the unit was made for, in units.
  double in_units(double seconds) const;
  double seconds(double units) const;

 private:
  struct Decimal {
    std::int64_t digits = 0;
    int exponent = 0;  // power of ten
  };
  static Decimal decimal(double seconds);

  double parts_ = 1;
  int exponent_ = 0;    // the unit is divisor_ · 10^exponent_ / parts_
  double longest_ = 0;  // the unit, where multiples are rounded; else 0
  std::int64_t divisor_ = 1;
};

/// The network, the machine and the options with all times as multiples of their common unit.
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
