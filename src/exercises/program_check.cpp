/// @file
/// Programs, proved to end and to reach their goals, and algorithms of the catalogue; their times by simulation.

#include <fmt/format.h>

#include <array>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "exercises/checks.hpp"
#include "exercises/knowledge.hpp"
#include "simulate/simulate.hpp"
#include "topology/formats/named.hpp"
#include "user_programs/user_program.hpp"

namespace tutti::exercises {
namespace {

Machine machine_of(const ExerciseMachine& words) {
  Machine machine{.ts = words.ts, .tw = words.tw, .th = words.th};
  for (const Switching each : {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta}) {
    if (name_of(each) == words.switching) machine.switching = each;
  }
  return machine;
}

TopologyPtr network_of(const Exercise& exercise, int ranks) {
  return exercise.machine.topology.empty() ? full_topology(ranks) : topology_named(exercise.machine.topology);
}

std::string network_in_words(const Exercise& exercise) {
  return exercise.machine.topology.empty() ? "" : " on " + exercise.machine.topology;
}

AnswerCheck check_time(const Exercise& exercise, double seconds, std::int64_t longest_chain) {
  constexpr double rounding = 1 + 1e-9;
  const std::string time =
      fmt::format("{}{}, with {} one after the other on its longest chain", text_of(Seconds{seconds}),
                  network_in_words(exercise), counted(longest_chain, "message"));
  const double most = exercise.within.value_or(seconds);
  if (seconds <= most * rounding) return {true, exercise.within ? "it takes " + time : std::string()};
  return {false, fmt::format("it takes {}; at most {} are asked for", time, text_of(Seconds{most}))};
}

}  // namespace

AnswerCheck check_program(const Exercise& exercise, std::string_view answer) {
  const UserProgram program = program_of_text(answer, "the answer", {exercise.ranks, exercise.bytes});
  const Schedule& schedule = program.schedule;
  Knowledge knowledge;
  if (const auto failure = run_knowledge(schedule, knowledge)) return {false, describe(*failure)};
  if (const std::string missed = missed_goal(exercise.goal, knowledge); !missed.empty()) return {false, missed};
  Workload workload(schedule, 1);
  const Simulation result = simulate(workload, *network_of(exercise, exercise.ranks), machine_of(exercise.machine), {});
  return check_time(exercise, result.seconds, result.rounds);
}

AnswerCheck check_algorithm(const Exercise& exercise, std::string_view answer) {
  std::vector<std::string_view> words = split(answer, ' ');
  std::erase(words, "");
  require(words.size() == 1, "'{}' is no name of an algorithm; 'tutti list {}' has them all", answer,
          name_of(*exercise.collective));
  Problem problem{.collective = *exercise.collective, .ranks = exercise.ranks, .count = exercise.bytes};
  if (problem.collective == Collective::shift) problem.distance = exercise.goal.number;
  const Algorithm& algorithm = algorithms::fitting(problem, words.front());
  const TopologyPtr network = network_of(exercise, exercise.ranks);
  Workload workload({algorithm, {}}, problem, 1);
  const Simulation result = simulate(workload, *network, machine_of(exercise.machine), {});
  return check_time(exercise, result.seconds, result.rounds);
}

}  // namespace tutti::exercises
