/// @file
/// Pace of a measurement: the calls of a batch, when enough batches are made, and what they say.
#pragma once

#include <cstddef>
#include <vector>

namespace tutti::measure {

/// Times in seconds.
struct Summary {
  double least = 0;
  double median = 0;
  double p99 = 0;  ///< the least time that 99 % of the samples do not exceed
  double half_width =
      0;  ///< half-width of the interval that holds the true median in 95 of 100 runs, as a part of the median
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

/// Effort for one figure.
struct Effort {
  double seconds = 0.5;          ///< seconds of counted batches: none begins later, unless fewer than three are made
  double precision = 0.03;       ///< precision of the median: enough when the half-width of its interval is below this
  double batch_seconds = 1e-3;   ///< a batch has as many calls as take this long, as far as buffers reach
  double warm_up_seconds = 0.3;  ///< warm-up ends after these, or after `seconds` if those are more, if not before
};

/// Warm-up, then batches until the median is stable or time is up.
///
/// Warm-up: batches of 1, 2, 4, … calls until one and the next of its size take `Effort::batch_seconds`, or one uses
/// every set of buffers, and until every set was used three times, unless that takes longer than
/// `Effort::warm_up_seconds` and `Effort::seconds`; they are not counted. So what a call costs whose memory is new to
/// other processes is no part of a figure. Ranks that `record` the same numbers decide alike.
class Pace {
 public:
  Pace(std::size_t sets, const Effort& effort) : effort_(effort), sets_(sets) {}

  /// Calls in the next batch; 0: enough.
  std::size_t next() const;
  /// Takes note of a batch: its seconds a call, and the seconds since the first.
  void record(double seconds_per_call, double elapsed);
  /// Returns the summary of the measurements; after at least one counted batch.
  Summary summary() const { return summarize(samples_); }
  /// Counted calls.
  std::size_t calls() const { return counted_; }

 private:
  void warm_up(double seconds_per_call);
  bool stable() const;

  Effort effort_;
  std::size_t sets_;
  std::size_t batch_ = 1;
  std::size_t warmed_ = 0;  // warm-up batches made
  std::size_t warmed_calls_ = 0;
  bool was_long_ = false;  // the batch before was as long as a batch shall be
  bool warm_ = false;
  double elapsed_ = 0;
  double warm_at_ = 0;  // when warm-up ended
  std::vector<double> samples_;
  std::size_t counted_ = 0;
};

}  // namespace tutti::measure
