#include "app/guided_times.hpp"

#include <chrono>
#include <limits>
#include <set>

#include "app/measured_communicator.hpp"
#include "app/progress.hpp"
#include "measure/loop.hpp"

namespace tutti::app {
namespace {

bool is_measurable(Collective collective) {
  return collective != Collective::exclusive_scan && collective != Collective::shift;
}

measure::Cell cell_of(const Problem& problem) {
  const std::int64_t blocks = has_blocks(problem.collective) ? problem.ranks : 1;
  return {problem.collective, problem.ranks, problem.count * blocks * std::int64_t{sizeof(double)}};
}

}  // namespace

double GuidedTimes::of(const Problem& problem) const {
  const auto found = seconds_.find(key_of(problem));
  return found == seconds_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

GuidedTimes measure_guided(Communicator& comm, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts,
                           const measure::Effort& effort) {
  GuidedTimes times;
  const auto want = [&](const GuidedCall& call, std::int64_t m, int p) {
    const Problem problem = problem_of(call, m, p);
    if (is_measurable(problem.collective)) times.seconds_[GuidedTimes::key_of(problem)] = 0;
  };
  for (const int p : ranks) {
    for (const std::int64_t m : counts) {
      for (const Guideline& guideline : guidelines()) {
        want(guideline.left, m, p);
        for (const GuidedCall& call : guideline.right) want(call, m, p);
      }
    }
  }
  std::set<int> sizes;
  for (const auto& [key, seconds] : times.seconds_) sizes.insert(std::get<1>(key));
  const Progress progress = comm.rank() == 0 ? progress_bar("measuring", times.seconds_.size()) : Progress();
  std::size_t done = 0;
  comm.set_timeout(std::chrono::hours(1));  // ranks that are not measured wait for the others
  for (const int size : sizes) {
    std::optional<Communicator> group = comm.split(comm.rank() < size ? 0 : -1, comm.rank());
    for (auto& [key, seconds] : times.seconds_) {
      if (std::get<1>(key) != size || !group) continue;
      if (progress) progress(done++);
      MeasuredCommunicator measured(*group, MeasuredMemory::plain);
      const Problem problem{.collective = std::get<0>(key), .ranks = size, .count = std::get<2>(key)};
      seconds = measure::measure(measured, cell_of(problem), effort).summary.least;
    }
    comm.barrier();
  }
  if (progress) clear_progress_bar();
  for (auto& [key, seconds] : times.seconds_) comm.broadcast(seconds, 0);
  return times;
}

}  // namespace tutti::app
