#include "bench/choice/cells.hpp"

#include <algorithm>

#include "app/measured_communicator.hpp"
#include "measure/cell.hpp"
#include "measure/loop.hpp"
#include "plan/choice.hpp"

namespace tutti::bench {
namespace {

constexpr int rounds = 3;

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Plan plan_of(Communicator& comm, Collective collective, std::span<double> in, std::span<double> out,
             const CollectiveOptions& options) {
  switch (collective) {
    case Collective::broadcast:
      return comm.plan_broadcast(out, 0, options);
    case Collective::reduce:
      return comm.plan_reduce(in, out, sum, 0, options);
    case Collective::all_reduce:
      return comm.plan_all_reduce(in, out, sum, options);
    case Collective::scan:
      return comm.plan_scan(in, out, sum, options);
    case Collective::scatter:
      return comm.plan_scatter(in, out, 0, options);
    case Collective::gather:
      return comm.plan_gather(in, out, 0, options);
    case Collective::all_gather:
      return comm.plan_all_gather(in, out, options);
    case Collective::reduce_scatter:
      return comm.plan_reduce_scatter(in, out, sum, options);
    case Collective::all_to_all:
      return comm.plan_all_to_all(in, out, options);
    default:
      return comm.plan_barrier(options);
  }
}

// What is left of the contenders after more calls than `measure` times.
std::string kept_by_measuring(Communicator& comm, const measure::Cell& cell) {
  constexpr int enough = 16;
  const int rank = comm.rank();
  std::vector<double> in(static_cast<std::size_t>(cell.input_count(rank)));
  std::vector<double> out(static_cast<std::size_t>(cell.output_count(rank)));
  Plan plan = plan_of(comm, cell.collective, in, out, {.planning = Planning::measure});
  for (int call = 0; call < enough; ++call) plan.run();
  return std::string(plan.algorithm());
}

ChoiceCell measure_cell(Communicator& comm, const measure::Cell& cell, const measure::Effort& effort) {
  const Problem problem{.collective = cell.collective, .ranks = cell.ranks, .count = cell.count()};
  ChoiceCell result{.collective = std::string(name_of(cell.collective)), .ranks = cell.ranks, .bytes = cell.bytes};
  result.estimated = comm.algorithm_of(cell.collective, problem.count, sizeof(double));
  result.measured = kept_by_measuring(comm, cell);
  const std::vector<const Algorithm*> candidates = candidates_for(problem, {});
  std::vector<std::vector<double>> seconds(candidates.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      app::MeasuredCommunicator measured(comm, app::MeasuredMemory::plain, candidates[k]->name);
      seconds[k].push_back(measure::measure(measured, cell, effort).summary.median);
    }
  }
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const std::string name(candidates[k]->name);
    const double predicted = comm.predicted_time(cell.collective, problem.count, sizeof(double), name).count();
    result.candidates.push_back({name, predicted, middle_of(seconds[k])});
  }
  return result;
}

}  // namespace

std::vector<ChoiceCell> measure_cells(Communicator& comm, Collective collective, const std::vector<std::int64_t>& sizes,
                                      const measure::Effort& effort) {
  std::vector<ChoiceCell> cells;
  for (const std::int64_t bytes : sizes) cells.push_back(measure_cell(comm, {collective, comm.size(), bytes}, effort));
  return cells;
}

}  // namespace tutti::bench
