/// @file
/// Cases of the simulation benchmarks, and their loop of measuring.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/model/algorithm.hpp"
#include "topology/families/families.hpp"
#include "topology/machine.hpp"

namespace tutti::bench {

/// An algorithm on a network; blocks or messages of `bytes`.
struct Case {
  Collective collective;
  const char* algorithm;
  std::string network;
  std::int64_t bytes = 1024;

  Problem problem(int ranks) const;
  const Algorithm& text(int ranks) const;
};

/// The parameters of all cases: alpha-beta, 1 us and 1 ns a byte.
Machine usual_machine();

/// Seconds of processor time that this process has used.
double processor_seconds();
/// The most memory that this process has had, in MiB.
double peak_mebibytes();

}  // namespace tutti::bench
