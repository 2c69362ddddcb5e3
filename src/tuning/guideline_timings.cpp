#include "tuning/guideline_timings.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

#include "measure/loop.hpp"
#include "tuning/measured_communicator.hpp"

namespace tutti {
namespace {

bool is_measurable(Collective collective) {
  return collective != Collective::exclusive_scan && collective != Collective::shift;
}

/// Disturbances that last a while, such as the place where the system has put the ranks, are over in another round.
constexpr int rounds = 5;

measure::Cell cell_of(const Problem& problem) {
  const std::int64_t blocks = has_blocks(problem.collective) ? problem.ranks : 1;
  return {problem.collective, problem.ranks, problem.count * blocks * std::int64_t{sizeof(double)}};
}

}  // namespace

double GuidelineTimings::of(const Problem& problem) const {
  const auto found = seconds_.find(key_of(problem));
  return found == seconds_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

void GuidelineTimings::want(const std::vector<int>& ranks, const std::vector<std::int64_t>& counts) {
  const auto want = [&](const GuidedCall& call, std::int64_t m, int p) {
    const Problem problem = problem_of(call, m, p);
    if (is_measurable(problem.collective)) seconds_[key_of(problem)] = std::numeric_limits<double>::infinity();
  };
  for (const int p : ranks) {
    for (const std::int64_t m : counts) {
      for (const Guideline& guideline : guidelines()) {
        want(guideline.left, m, p);
        for (const GuidedCall& call : guideline.right) want(call, m, p);
      }
    }
  }
}

void GuidelineTimings::measure_again(Communicator& comm, int ranks, const measure::Effort& effort,
                                     const std::function<void()>& done) {
  std::optional<Communicator> group = comm.split(comm.rank() < ranks ? 0 : -1, comm.rank());
  for (auto& [key, seconds] : seconds_) {
    if (std::get<1>(key) != ranks || !group) continue;
    done();
    MeasuredCommunicator measured(*group, MeasuredMemory::plain);
    const Problem problem{.collective = std::get<0>(key), .ranks = ranks, .count = std::get<2>(key)};
    seconds = std::min(seconds, measure::measure(measured, cell_of(problem), effort).summary.least);
  }
  comm.barrier();
}

GuidelineTimings measure_guidelines(Communicator& comm, const std::vector<int>& ranks,
                                    const std::vector<std::int64_t>& counts, const measure::Effort& effort,
                                    const TrialProgress& progress) {
  GuidelineTimings times;
  times.want(ranks, counts);
  std::set<int> sizes;
  for (const auto& [key, seconds] : times.seconds_) sizes.insert(std::get<1>(key));
  const std::size_t all = rounds * times.seconds_.size();
  std::size_t done = 0;
  const auto tell = [&] {
    if (progress) progress(done++, all);
  };
  measure::Effort of_round = effort;
  of_round.seconds /= rounds;
  comm.set_timeout(std::chrono::hours(1));  // ranks that are not measured wait for the others
  for (int round = 0; round < rounds; ++round) {
    for (const int size : sizes) times.measure_again(comm, size, of_round, tell);
  }
  for (auto& [key, seconds] : times.seconds_) comm.broadcast(seconds, 0);
  return times;
}

}  // namespace tutti
