/// @file
/// Symbolic times by cases: the formulas among which a run's time changes as messages grow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cost/symbolic/probe.hpp"

namespace tutti {

/// The size from which another formula holds.
struct TimeBoundary {
  double ratio = 0;         ///< ts/(tw m) there
  bool is_crossing = true;  ///< whether both formulas are equal there; otherwise the time jumps
};

/// The formulas of a run, in order of growing messages.
struct TimeCases {
  std::vector<SymbolicTime> times;       ///< empty where none was found
  std::vector<TimeBoundary> boundaries;  ///< between each two of them
  std::vector<SymbolicTime> elsewhere;   ///< further ones, where th or tc are greater or smaller
  bool is_whole = true;  ///< otherwise there are more cases than were asked for, and the one time holds nearby alone
  bool is_greatest = false;  ///< whether the time is the greatest of all of them, wherever it was looked at
};

/// Extent of a search for cases.
struct CaseLimits {
  int looks = 7;          ///< at how many sizes it looks first
  int checks = 32;        ///< at how many further ones the cases are compared with the time
  std::size_t most = 12;  ///< cases at most
  double nearby = 1;      ///< ts/(tw m) at which a time is given that has more of them
};

/// Looks at messages from 2^-16 to 2^16 times ts/tw, with th and tc in their ratio to ts, and then at greater and
/// smaller th and tc. A formula that rules only between two of the sizes that are looked at is missed where the time is
/// not the greatest of its formulas. Of a run with times of its own there is one formula, that around its
/// machine.
/// Cost: some five runs a look, one a check, and some more for each boundary.
TimeCases time_cases(const ProbedRun& run, const CaseLimits& limits = {});

/// Returns where the case holds: "m <= 2/61 ts/tw", "2 ts <= 5 tw m and …"; empty where there is one case alone.
std::string where(const TimeCases& cases, std::size_t at, const SymbolNames& names = {});

/// Returns the case that holds on the machine for messages of m bytes.
std::size_t case_at(const TimeCases& cases, const Machine& machine, double m);

/// Returns the seconds by the case that holds on the machine for messages of m bytes.
double seconds(const TimeCases& cases, const Machine& machine, double m);

}  // namespace tutti
