/// @file
/// Report of `tutti bench`.
#pragma once

#include <string>
#include <vector>

#include "measure/cell.hpp"
#include "measure/loop.hpp"
#include "predict/profile/profile.hpp"

namespace tutti::app {

/// One size.
struct BenchRow {
  measure::Cell cell;
  std::string algorithm;
  measure::LoopResult measured;
  double limit_before = 0;       ///< measure/limit.hpp, measured before the calls; 0: there is none
  double limit_after = 0;        ///< and after them
  double predicted_seconds = 0;  ///< Communicator::predicted_time
};

/// The lesser of the two; 0: there is none.
double limit_of(const BenchRow& row);
/// Why the median is below the limit, in words; empty where it is not.
std::string why_below_limit(const BenchRow& row);

/// The rows of one run of `tutti bench`: the same collective and ranks in all of them.
struct BenchRun {
  Transport transport = Transport::threads;
  std::vector<BenchRow> rows;
};

/// A table for people.
std::string bench_table(const BenchRun& run);
/// The fields that docs/reference/bench.md names.
std::string bench_json(const BenchRun& run);
/// Median, least, predicted time and limit against size, as SVG. Throws `Error` for a barrier, which has no sizes.
std::string bench_plot(const BenchRun& run);

}  // namespace tutti::app
