#include "bench/choice/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "measure/cell.hpp"
#include "measure/loop.hpp"
#include "plan/choice.hpp"
#include "plan/trial.hpp"
#include "schedule/model/choice.hpp"
#include "tuning/measured_communicator.hpp"

namespace tutti::bench {
namespace {

// All candidates have their turn in a few rounds. Those that at best take at most so many times as long as the fastest
// have it in more of them: no other can be the fastest.
constexpr int rounds_of_all = 3;
constexpr double near_enough = 1.5;
constexpr int rounds_of_the_near = 9;

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// One cell on one communicator: all that is measured has the same buffers, which change from call to call.
class MeasuredCell {
 public:
  MeasuredCell(Communicator& comm, const measure::Cell& cell, const measure::Effort& effort)
      : comm_(comm), cell_(cell), effort_(effort), turns_(cell, comm.rank(), &measure::plain_memory) {}

  // Makes all calls by which `measure` chooses.
  void let_measuring_choose() {
    constexpr std::uint64_t enough = Trial::most_rows * Trial::calls_of_a_row + 1;
    const measure::Buffers& buffers = turns_.buffers();
    MeasuredCommunicator subject(comm_, MeasuredMemory::plain);
    const auto call_all = [&](std::uint64_t calls) {
      for (std::uint64_t call = 0; call < calls; ++call)
        subject.call(cell_.collective, buffers.input(call), buffers.output(call));
    };
    // Every set is in memory, and its peers have found it, before anything is timed.
    call_all(buffers.sets());
    comm_.set_planning(Planning::measure);
    call_all(enough);
    comm_.set_planning(Planning::estimate);
  }

  double seconds_of(std::string_view algorithm, Planning planning) {
    MeasuredCommunicator subject(comm_, MeasuredMemory::plain, algorithm);
    comm_.set_planning(planning);
    const double seconds = turns_.measure(subject, effort_).summary.median;
    comm_.set_planning(Planning::estimate);
    return seconds;
  }

 private:
  Communicator& comm_;
  measure::Cell cell_;
  measure::Effort effort_;
  measure::CellMeasurement turns_;
};

/// The names of the algorithms that fit the problem, those of one schedule together.
std::vector<std::vector<std::string>> schedules_of(const Problem& problem) {
  std::vector<std::vector<std::string>> schedules;
  std::map<std::string, std::size_t> known;
  for (const Algorithm* algorithm : candidates_for(problem, Layout{})) {
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

// Contender of a round: an algorithm by its name, or a way to choose one.
struct Contender {
  std::string algorithm;
  Planning planning = Planning::estimate;
};

// The seconds of the contenders, each of which has its turn in every round: by round, then by contender.
std::vector<std::vector<double>> seconds_of(MeasuredCell& cell, const std::vector<Contender>& contenders, int rounds) {
  std::vector<std::vector<double>> seconds;
  for (int round = 0; round < rounds; ++round) {
    seconds.emplace_back();
    for (const Contender& each : contenders) seconds.back().push_back(cell.seconds_of(each.algorithm, each.planning));
  }
  return seconds;
}

// The least that each contender took in a round.
std::vector<double> least_of(const std::vector<std::vector<double>>& seconds) {
  std::vector<double> least = seconds.front();
  for (const std::vector<double>& round : seconds) {
    for (std::size_t k = 0; k < round.size(); ++k) least[k] = std::min(least[k], round[k]);
  }
  return least;
}

ChoiceCell measure_cell(Communicator& comm, const measure::Cell& what, const measure::Effort& effort) {
  const Problem problem{.collective = what.collective, .ranks = what.ranks, .count = what.count()};
  ChoiceCell result{.collective = std::string(name_of(what.collective)), .ranks = what.ranks, .bytes = what.bytes};
  result.chosen = comm.algorithm_of(what.collective, problem.count, sizeof(double));
  MeasuredCell cell(comm, what, effort);
  cell.let_measuring_choose();
  std::vector<Contender> all;
  for (const std::vector<std::string>& names : schedules_of(problem)) {
    const double predicted = comm.predicted_time(what.collective, problem.count, sizeof(double), names.front()).count();
    result.candidates.push_back({names, predicted, 0});
    all.push_back({names.front()});
  }
  const std::vector<std::vector<double>> of_all = seconds_of(cell, all, rounds_of_all);
  const std::vector<double> first = figures_of(of_all);
  const std::vector<double> least = least_of(of_all);
  const double fastest = *std::min_element(least.begin(), least.end());
  std::vector<std::size_t> places;  // places of the near ones among the candidates
  std::vector<Contender> near;
  for (std::size_t k = 0; k < all.size(); ++k) {
    result.candidates[k].measured = first[k];
    if (least[k] > near_enough * fastest) continue;
    places.push_back(k);
    near.push_back(all[k]);
  }
  near.push_back({"", Planning::estimate});
  near.push_back({"", Planning::measure});
  const std::vector<double> second = figures_of(seconds_of(cell, near, rounds_of_the_near));
  for (std::size_t k = 0; k < places.size(); ++k) result.candidates[places[k]].measured = second[k];
  result.estimated = second[places.size()];
  result.kept = second[places.size() + 1];
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
