#include "app/plan_measure.hpp"

#include "app/measured_communicator.hpp"
#include "app/progress.hpp"
#include "measure/loop.hpp"

namespace tutti::app {
namespace {

measure::Cell cell_of(const Problem& problem, std::int64_t bytes) {
  const std::int64_t blocks = has_blocks(problem.collective) ? problem.ranks : 1;
  return {problem.collective, problem.ranks, bytes * blocks};
}

}  // namespace

void check_measurable(const Problem& problem, const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t bytes : sizes) {
    measure::check(cell_of(problem, bytes));
    (void)measure::sets_for(cell_of(problem, bytes));
  }
}

Measurements measure_all(Communicator& comm, const Problem& problem, const std::vector<std::int64_t>& sizes,
                         const measure::Effort& effort) {
  const std::vector<const Algorithm*> candidates = candidates_for(problem, Layout{});
  const std::size_t total = candidates.size() * sizes.size();
  const Progress progress = comm.rank() == 0 ? progress_bar("measuring", total) : Progress();
  Measurements measurements;
  for (const std::int64_t bytes : sizes) {
    measure::Turns turns(cell_of(problem, bytes), comm.rank(), &measure::plain_memory);
    for (const Algorithm* algorithm : candidates) {
      if (progress) progress(measurements.size());
      MeasuredCommunicator measured(comm, MeasuredMemory::plain, algorithm->name, problem.commutative);
      measurements[{algorithm, bytes}] = turns.measure(measured, effort).summary.median;
    }
  }
  if (progress) clear_progress_bar();
  return measurements;
}

}  // namespace tutti::app
