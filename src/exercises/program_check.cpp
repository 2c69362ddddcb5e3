/// @file
/// Programs, proved to end and to reach their goals, and algorithms of the catalogue; their times by simulation.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
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

// Whether a step's words, such as "+1 or -1" or "xor 2", have a message of the rank go to that peer.
bool may_send(const std::string& words, int rank, int peer, int ranks) {
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    if (word == "or") continue;
    const bool exclusive = word == "xor";
    if (exclusive) stream >> word;
    const auto number =
        static_cast<int>(parse_integer(word.starts_with('+') ? word.substr(1) : word, "a peer", -ranks, ranks));
    if (peer == (exclusive ? rank ^ number : modulo(rank + number, ranks))) return true;
  }
  return false;
}

// Names the first message that goes to another peer than the exercise has in its step; empty: none does.
std::string stray_message(const Exercise& exercise, const Schedule& schedule) {
  for (int rank = 0; rank < exercise.ranks && !exercise.peers.empty(); ++rank) {
    std::size_t step = 0;
    for (const Op& op : schedule.programs[static_cast<std::size_t>(rank)].ops) {
      const std::string& asked = exercise.peers[std::min(step, exercise.peers.size() - 1)];
      if (op.kind == OpKind::send && !may_send(asked, rank, op.peer, exercise.ranks))
        return fmt::format("rank {} sends to rank {} in its step {}; messages to {} are asked for", rank, op.peer,
                           step + 1, asked);
      step += op.ends_step ? 1 : 0;
    }
  }
  return {};
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
  AnswerCheck found = check_time(exercise, result.seconds, result.rounds);
  if (const std::string stray = stray_message(exercise, schedule); found.is_right && !stray.empty())
    return {false, stray};
  return found;
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
