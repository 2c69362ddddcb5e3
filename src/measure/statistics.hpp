/// @file
/// What is said about a set of measured times.
#pragma once

#include <vector>

namespace tutti::measure {

/// Times in seconds.
struct Summary {
  double least = 0;
  double median = 0;
  double p99 = 0;         ///< the least time that 99 % of the samples do not exceed
  double half_width = 0;  ///< of the interval that holds the true median in 95 of 100 runs, as a part of the median
  std::size_t samples = 0;
};

/// Summarizes at least one sample. The interval is free of assumptions about the distribution: its ends are the samples
/// of rank n/2 -+ 0.98 sqrt(n), cut off at the ends (W. J. Conover, Practical Nonparametric Statistics, 3rd ed., 1999,
/// section 3.2). With fewer than six samples no interval has that confidence, and `half_width` is infinite.
Summary summarize(std::vector<double> samples);

/// The middle of the values, the mean of both where their number is even; 0 of none.
double median_of(std::vector<double> values);

/// The geometric mean of positive values; 0 of none.
double geometric_mean(const std::vector<double>& values);

}  // namespace tutti::measure
