#include "bench/choice/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/measured_communicator.hpp"
#include "measure/cell.hpp"
#include "measure/loop.hpp"
#include "plan/choice.hpp"
#include "plan/trial.hpp"
#include "schedule/choice.hpp"

namespace tutti::bench {
namespace {

constexpr int rounds = 9;

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Makes all calls by which `measure` chooses, on buffers that change from call to call, as in the loop that measures
// them all.
void let_measuring_choose(Communicator& comm, const measure::Cell& cell) {
  constexpr std::uint64_t enough = Trial::most_rows * Trial::calls_of_a_row + 1;
  app::MeasuredCommunicator subject(comm, app::MeasuredMemory::plain);
  const measure::Buffers buffers(cell, comm.rank(), measure::sets_for(cell),
                                 [&](std::size_t count) { return subject.allocate(count); });
  const auto call_all = [&](std::uint64_t calls) {
    for (std::uint64_t call = 0; call < calls; ++call)
      subject.call(cell.collective, buffers.input(call), buffers.output(call));
  };
  // Every set is in memory, and its peers have found it, before anything is timed.
  call_all(buffers.sets());
  comm.set_planning(Planning::measure);
  call_all(enough);
  comm.set_planning(Planning::estimate);
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
  result.chosen = comm.algorithm_of(cell.collective, problem.count, sizeof(double));
  let_measuring_choose(comm, cell);
  for (const std::vector<std::string>& names : schedules_of(problem)) {
    const double predicted = comm.predicted_time(cell.collective, problem.count, sizeof(double), names.front()).count();
    result.candidates.push_back({names, predicted, 0});
  }
  const auto seconds_of = [&](std::string_view algorithm, Planning planning) {
    app::MeasuredCommunicator measured(comm, app::MeasuredMemory::plain, algorithm);
    comm.set_planning(planning);
    const double seconds = measure::measure(measured, cell, effort).summary.median;
    comm.set_planning(Planning::estimate);
    return seconds;
  };
  std::vector<std::vector<double>> seconds;  // by round, then by candidate; the choices last
  for (int round = 0; round < rounds; ++round) {
    seconds.emplace_back();
    for (const Candidate& each : result.candidates)
      seconds.back().push_back(seconds_of(each.names.front(), Planning::estimate));
    for (const Planning planning : {Planning::estimate, Planning::measure})
      seconds.back().push_back(seconds_of({}, planning));
  }
  const std::vector<double> figures = figures_of(seconds);
  for (std::size_t k = 0; k < result.candidates.size(); ++k) result.candidates[k].measured = figures[k];
  result.estimated = figures[result.candidates.size()];
  result.kept = figures[result.candidates.size() + 1];
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
