/// @file
/// The two rows that state a bound for every distance of a shift: simulated at a distance that takes longest.

#include <fmt/format.h>

#include "algorithms/shift/shift.hpp"
#include "base/integers.hpp"
#include "textbook/tables.hpp"
#include "topology/embedding.hpp"

namespace tutti::textbook {
namespace {

// The distance with the most steps; each step of these shifts goes one link.
int longest_distance(const Algorithm& algorithm, Problem problem) {
  int longest = 0;
  std::int64_t most = 0;
  for (problem.distance = 0; problem.distance < problem.ranks; ++problem.distance) {
    const std::int64_t steps = algorithm.claims(problem).rounds;
    if (steps <= most) continue;
    most = steps;
    longest = problem.distance;
  }
  return longest;
}

Answer longest_shift(const Algorithm& algorithm, const Topology& topology, Problem problem,
                     const Parameters& parameters, double steps) {
  const Machine machine = machine_of(parameters, Switching::store_and_forward);
  Answer answer;
  answer.bound = steps * (machine.ts + machine.tw * static_cast<double>(parameters.bytes));
  problem.distance = longest_distance(algorithm, problem);
  Workload workload(algorithm.record, problem, 1);
  answer.simulated = simulated(workload, topology, machine, answer);
  answer.agrees = answer.agrees && (*answer.simulated <= *answer.bound || same_time(*answer.simulated, *answer.bound));
  add_note(answer, fmt::format("of all distances q = {} takes longest", problem.distance));
  return answer;
}

Problem shift_of(const Parameters& parameters, const Shape& grid) {
  return {.collective = Collective::shift, .ranks = parameters.ranks, .count = parameters.bytes, .grid = grid};
}

Answer on_mesh(const Parameters& parameters) {
  const auto network = network_of(Family::mesh, parameters.ranks);
  if (!network || parameters.ranks == 1) return {.note = network ? "needs p > 1" : "needs p = r²"};
  return longest_shift(algorithms::shift_mesh, *network->topology, shift_of(parameters, network->grid), parameters,
                       network->grid.extent(0) + 1);
}

Answer on_hypercube(const Parameters& parameters) {
  const auto network = network_of(Family::hypercube, parameters.ranks);
  if (!network || parameters.ranks == 1) return {.note = network ? "needs p > 1" : "needs p = 2^d"};
  const int d = ceil_log2(parameters.ranks);
  const TopologyPtr ring = embedded(network->topology, ring_in_hypercube(d));
  return longest_shift(algorithms::shift_gray_code, *ring, shift_of(parameters, {}), parameters, 2 * d - 1);
}

}  // namespace

std::vector<Row> shift_bound_rows() {
  return {
      {"shift.mesh.sf", "shift", algorithms::shift_mesh.name, name_of(Family::mesh), Switching::store_and_forward,
       "at most (ts + tw m)(r + 1)", slides, on_mesh},
      {"shift.hypercube.sf", "shift", algorithms::shift_gray_code.name, "hypercube, the ring embedded by Gray code",
       Switching::store_and_forward, "at most (ts + tw m)(2 d - 1)", slides, on_hypercube},
  };
}

}  // namespace tutti::textbook
