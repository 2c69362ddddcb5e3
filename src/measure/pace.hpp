/// @file
/// How many calls a batch has, and when enough batches are made.
#pragma once

#include <cstddef>
#include <vector>

#include "measure/statistics.hpp"

namespace tutti::measure {

/// How much is done for one figure.
struct Effort {
  double seconds = 0.5;          ///< of counted batches: none begins later, unless fewer than three are made
  double precision = 0.03;       ///< of the median: enough when the half-width of its interval is below this
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
  /// What was measured; after at least one counted batch.
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
