/// @file
/// Probing: finds the formula of a run's time from its times on many machines.
///
/// A simulated time is a sum of the machine's costs, each taken a rational number of times, as long as small changes of
/// the costs change no decision: which chain is the longest, who waits for whom. The numbers are the time's slopes.
/// Costs are whole numbers here, of which the simulator's times are exact sums, and each formula is checked by its
/// value at further points.
#pragma once

#include <functional>
#include <optional>

#include "cost/symbolic/symbolic_time.hpp"

namespace tutti {

/// A run whose time depends on the machine's costs.
struct ProbedRun {
  /// Seconds on that machine, with messages `scale` times as long.
  std::function<double(const Machine& machine, int scale)> time;
  Machine machine;               ///< ts and tw are symbols, and so are th and tc if they are not 0
  double m = 1;                  ///< bytes
  bool has_own_times = false;    ///< whether it takes times beside the machine's, such as late beginnings
  bool has_fixed_sizes = false;  ///< whether something that is sent does not grow with m, such as packets
  bool computes_apart = false;   ///< whether what is combined, or computed, is nothing that grows with m
};

/// Returns a machine with the costs in whole numbers, so that ts/(tw m) is about `ratio`; th and tc keep their ratio to
/// ts.
Machine machine_at(const ProbedRun& run, double ratio);

/// Returns the time as a formula that holds around that machine; nothing where none does, because the machine stands
/// where one formula gives way to another.
std::optional<SymbolicTime> symbolic_time(const ProbedRun& run, const Machine& machine);

/// Whether the formula gives the run's time on that machine, and on those around it that symbolic_time() looks at.
bool holds_around(const ProbedRun& run, const SymbolicTime& time, const Machine& machine);

/// Returns symbolic_time() at that ratio, or at one close to it. For runs with times of their own at the run's machine.
std::optional<SymbolicTime> symbolic_time_near(const ProbedRun& run, double ratio);

}  // namespace tutti
