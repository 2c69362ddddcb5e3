/// @file
/// The flows engine's rules once more, in rational numbers and without any care for speed.
///
/// Nothing but the network's routes is shared with the engine: ranks, ports, routes and shares are written anew from
/// the sentences of simulate.hpp, so that either can be wrong by itself. Times are exact: the order of events is never
/// a matter of rounding.
#pragma once

#include <gmpxx.h>

#include <vector>

#include "schedule/model/schedule.hpp"
#include "topology/machine.hpp"

namespace tutti::test {

/// Parameters as whole numbers of the caller's unit of time.
struct ExactMachine {
  Switching switching = Switching::alpha_beta;
  Ports ports = Ports::single;
  int ts = 0;
  int tw = 0;
  int th = 0;
  int tc = 0;
  std::vector<int> starts;  ///< empty, or when each rank begins
};

/// When the last rank is done. Needs a schedule without chains that can be completed, and links whose lanes are whole
/// and that have no times of their own.
mpq_class exact_time(const Schedule& schedule, int element_bytes, const Topology& topology,
                     const ExactMachine& machine);

}  // namespace tutti::test
