/// @file
/// Measured times of the calls of guidelines.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "measure/pace.hpp"
#include "plan/guidelines.hpp"
#include "tuning/observe.hpp"
#include "tutti/communicator.hpp"

namespace tutti {

/// Seconds of one call by itself, by collective, ranks and count.
class GuidelineTimings {
 public:
  /// No number where the call was not measured.
  double of(const Problem& problem) const;

 private:
  friend GuidelineTimings measure_guidelines(Communicator&, const std::vector<int>&, const std::vector<std::int64_t>&,
                                             const measure::Effort&, const TrialProgress&);
  using Key = std::tuple<Collective, int, std::int64_t>;
  static Key key_of(const Problem& problem) { return {problem.collective, problem.ranks, problem.count}; }

  /// Notes the calls of the guidelines that the measuring loop has.
  void want(const std::vector<int>& ranks, const std::vector<std::int64_t>& counts);
  /// Measures those over so many of the communicator's ranks once more; `done` is told of each.
  void measure_again(Communicator& comm, int ranks, const measure::Effort& effort, const std::function<void()>& done);

  std::map<Key, double> seconds_;
};

/// Measures all calls of the guidelines that the measuring loop has, by what tutti chooses: the quickest of each, in
/// several rounds that share the effort, so that what disturbs a call for a while does not count. The communicator has
/// at least one rank more than the largest of `ranks`; each call is made by the first of its ranks. A collective call,
/// with the same result on every rank.
GuidelineTimings measure_guidelines(Communicator& comm, const std::vector<int>& ranks,
                                    const std::vector<std::int64_t>& counts, const measure::Effort& effort,
                                    const TrialProgress& progress = {});

}  // namespace tutti
