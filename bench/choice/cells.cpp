#include "bench/choice/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/measured_communicator.hpp"
#include "measure/cell.hpp"
#include "measure/loop.hpp"
#include "plan/choice.hpp"
#include "schedule/choice.hpp"

namespace tutti::bench {
namespace {

constexpr int rounds = 9;

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
  constexpr int enough = 40;
  const int rank = comm.rank();
  std::vector<double> in(static_cast<std::size_t>(cell.input_count(rank)));
  std::vector<double> out(static_cast<std::size_t>(cell.output_count(rank)));
  Plan plan = plan_of(comm, cell.collective, in, out, {.planning = Planning::measure});
  for (int call = 0; call < enough; ++call) plan.run();
  return std::string(plan.algorithm());
}

/// The names of the algorithms that fit the problem, those of one schedule together.
std::vector<std::vector<std::string>> schedules_of(const Problem& problem) {
  std::vector<std::vector<std::string>> schedules;
  std::map<std::string, std::size_t> known;
  for (const Algorithm* algorithm : candidates_for(problem, {})) {
    Schedule schedule = record({*algorithm}, problem);
    for (Program& program : schedule.programs) {
      program.phases.clear();
      program.pruned.clear();
    }
    const auto [place, is_new] = known.try_emplace(text_of(schedule), schedules.size());
    if (is_new) schedules.emplace_back();
    schedules[place->second].emplace_back(algorithm->name);
  }
  return schedules;
}

/// One figure for each candidate, of its seconds in all rounds.
std::vector<double> figures_of(const std::vector<std::vector<double>>& seconds) {
  std::vector<double> means;
  std::vector<std::vector<double>> ratios(seconds.front().size());
  for (const std::vector<double>& round : seconds) {
    double logarithms = 0;
    for (const double each : round) logarithms += std::log(each);
    means.push_back(std::exp(logarithms / static_cast<double>(round.size())));
    for (std::size_t k = 0; k < round.size(); ++k) ratios[k].push_back(round[k] / means.back());
  }
  std::vector<double> figures;
  for (std::vector<double>& of_candidate : ratios)
    figures.push_back(middle_of(means) * middle_of(std::move(of_candidate)));
  return figures;
}

ChoiceCell measure_cell(Communicator& comm, const measure::Cell& cell, const measure::Effort& effort) {
  const Problem problem{.collective = cell.collective, .ranks = cell.ranks, .count = cell.count()};
  ChoiceCell result{.collective = std::string(name_of(cell.collective)), .ranks = cell.ranks, .bytes = cell.bytes};
  result.estimated = comm.algorithm_of(cell.collective, problem.count, sizeof(double));
  result.measured = kept_by_measuring(comm, cell);
  for (const std::vector<std::string>& names : schedules_of(problem)) {
    const double predicted = comm.predicted_time(cell.collective, problem.count, sizeof(double), names.front()).count();
    result.candidates.push_back({names, predicted, 0});
  }
  std::vector<std::vector<double>> seconds;  // by round, then by candidate
  for (int round = 0; round < rounds; ++round) {
    seconds.emplace_back();
    for (const Candidate& each : result.candidates) {
      app::MeasuredCommunicator measured(comm, app::MeasuredMemory::plain, each.names.front());
      seconds.back().push_back(measure::measure(measured, cell, effort).summary.median);
    }
  }
  const std::vector<double> figures = figures_of(seconds);
  for (std::size_t k = 0; k < figures.size(); ++k) result.candidates[k].measured = figures[k];
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
