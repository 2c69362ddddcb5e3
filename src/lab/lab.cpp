#include "tutti/lab.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "algorithms/own.hpp"
#include "base/check.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "draw/layout/network_arrangement.hpp"
#include "draw/page/page.hpp"
#include "draw/steps/steps.hpp"
#include "schedule/model/choice.hpp"
#include "simulate/simulate.hpp"
#include "topology/formats/named.hpp"
#include "verify/text.hpp"

namespace tutti::lab {
namespace {

constexpr int most_ranks_proved = 1 << 16;

tutti::Problem problem_of(const Algorithm& algorithm, const Problem& asked) {
  const Collective collective = algorithm.algorithm().collective;
  tutti::Problem problem{.collective = collective, .ranks = asked.ranks, .count = asked.count};
  if (collective == Collective::barrier) problem.count = 0;
  if (has_root(collective)) problem.root = asked.root;
  if (collective == Collective::shift) problem.distance = asked.distance;
  problem.commutative = asked.commutative;
  check(problem);
  return problem;
}

TopologyPtr network_of(const tutti::Problem& problem, std::string_view topology) {
  TopologyPtr network = topology.empty() ? full_topology(problem.ranks) : topology_named(topology);
  check_ranks(problem.ranks, *network);
  return network;
}

tutti::Machine machine_of(const Machine& asked) {
  tutti::Machine machine{.ts = asked.ts, .tw = asked.tw, .th = asked.th, .tc = asked.tc};
  switch (asked.switching) {
    case Switching::alpha_beta:
      machine.switching = tutti::Switching::alpha_beta;
      break;
    case Switching::cut_through:
      machine.switching = tutti::Switching::cut_through;
      break;
    case Switching::store_and_forward:
      machine.switching = tutti::Switching::store_and_forward;
      break;
  }
  check(machine);
  return machine;
}

Simulation simulated(const tutti::Algorithm& algorithm, const tutti::Problem& problem, std::int64_t element_bytes,
                     const Topology& topology, const tutti::Machine& machine) {
  require(element_bytes >= 1, "an element has at least one byte, not {}", element_bytes);
  Workload workload(Choice(algorithm), problem, element_bytes);
  return tutti::simulate(workload, topology, machine);
}

draw::ScheduleFrames frames_of(const Algorithm& algorithm, const tutti::Problem& problem, const Topology& topology) {
  // Before any rank's text is run: so many would take gigabytes, and be drawn all the same by nobody.
  require(problem.ranks <= draw::most_ranks_framed, "a schedule of {} ranks is too large to draw; take at most {}",
          problem.ranks, draw::most_ranks_framed);
  draw::ScheduleFrames frames = draw::frames_of(record_all(algorithm.algorithm().record, problem), topology);
  frames.title = fmt::format("{} by {} on {}", frames.title, algorithm.name(), topology.name());
  return frames;
}

}  // namespace

Proof prove(const Algorithm& algorithm, const Problem& problem) {
  const auto failure = verify(record_all(algorithm.algorithm().record, problem_of(algorithm, problem))).failure;
  return {!failure, failure ? describe(*failure) : std::string()};
}

Proof prove(const Algorithm& algorithm, int first, int last) {
  require(first >= 1 && first <= last && last <= most_ranks_proved, "ranks go from 1 to {}, not from {} to {}",
          most_ranks_proved, first, last);
  Proof proof{.proved = true, .reason = {}};
  const tutti::Algorithm& text = algorithm.algorithm();
  for (int ranks = first; ranks <= last && proof.proved; ++ranks) {
    algorithms::for_each_case(text, ranks, [&](const tutti::Problem& problem, const Parameters& parameters) {
      if (!proof.proved) return;
      const auto failure = verify(Choice(text, parameters), problem).failure;
      if (failure) proof = {false, fmt::format("{}: {}", tutti::describe(problem), describe(*failure))};
    });
  }
  return proof;
}

Times simulate(const Algorithm& algorithm, const Problem& asked, std::string_view topology, const Machine& machine) {
  const tutti::Problem problem = problem_of(algorithm, asked);
  const TopologyPtr network = network_of(problem, topology);
  const tutti::Machine costs = machine_of(machine);
  const Simulation result = simulated(algorithm.algorithm(), problem, asked.element_bytes, *network, costs);
  const LowerBound bound = lower_bound(problem, asked.element_bytes, *network, costs);
  return {.seconds = result.seconds,
          .bound_seconds = bound.seconds,
          .rounds = result.rounds,
          .messages = result.messages,
          .bytes = result.bytes,
          .most_shared = result.most_shared};
}

std::vector<Price> price(const Algorithm& algorithm, const Problem& asked, std::string_view topology,
                         const Machine& machine) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 20;
  const tutti::Problem problem = problem_of(algorithm, asked);
  const TopologyPtr network = network_of(problem, topology);
  const tutti::Machine costs = machine_of(machine);
  std::vector<const tutti::Algorithm*> all = algorithms::algorithms_for(problem.collective);
  std::erase_if(all, [&](const tutti::Algorithm* other) {
    return unmet_need(*other, problem) || Choice(*other).claims(problem).messages > most_messages;
  });
  all.insert(all.begin(), &algorithm.algorithm());
  std::vector<Price> prices;
  for (const tutti::Algorithm* each : all) {
    prices.push_back(
        {std::string(each->name), simulated(*each, problem, asked.element_bytes, *network, costs).seconds});
  }
  std::stable_sort(prices.begin(), prices.end(), [](const Price& a, const Price& b) { return a.seconds < b.seconds; });
  return prices;
}

std::string draw(const Algorithm& algorithm, const Problem& asked, std::string_view topology) {
  const tutti::Problem problem = problem_of(algorithm, asked);
  const TopologyPtr network = network_of(problem, topology);
  return draw::svg_of(frames_of(algorithm, problem, *network), draw::arrangement_of(*network));
}

std::string draw_page(const Algorithm& algorithm, const Problem& asked, std::string_view topology) {
  const tutti::Problem problem = problem_of(algorithm, asked);
  const TopologyPtr network = network_of(problem, topology);
  return draw::html_of(frames_of(algorithm, problem, *network), draw::arrangement_of(*network));
}

std::string listing(const Algorithm& algorithm, const Problem& problem) {
  return text_of(record_all(algorithm.algorithm().record, problem_of(algorithm, problem)));
}

}  // namespace tutti::lab
