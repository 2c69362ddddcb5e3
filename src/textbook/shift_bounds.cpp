/// @file
/// The two rows that state a bound for every distance of a shift: simulated at a distance that takes longest.

#include <fmt/format.h>

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "textbook/tables.hpp"
#include "topology/embedding.hpp"

namespace tutti::textbook {
namespace {

// The distance with the most steps; each step of these shifts goes one link.
int longest_distance(const Choice& choice, Problem problem) {
  int longest = 0;
  std::int64_t most = 0;
  for (problem.distance = 0; problem.distance < problem.ranks; ++problem.distance) {
    const std::int64_t steps = choice.claims(problem).rounds;
    if (steps <= most) continue;
    most = steps;
    longest = problem.distance;
  }
  return longest;
}

Answer longest_shift(const Choice& choice, const Topology& topology, const Instance& instance, double steps) {
  const Machine machine = machine_of(instance, Switching::store_and_forward);
  Problem problem{.collective = Collective::shift, .ranks = instance.ranks, .count = instance.bytes};
  Answer answer;
  answer.bound = steps * (machine.ts + machine.tw * static_cast<double>(instance.bytes));
  problem.distance = longest_distance(choice, problem);
  Workload workload(choice, problem, 1);
  answer.simulated = simulated(workload, topology, machine, answer);
  answer.agrees = answer.agrees && (*answer.simulated <= *answer.bound || same_time(*answer.simulated, *answer.bound));
  add_note(answer, fmt::format("of all distances q = {} takes longest", problem.distance));
  return answer;
}

Answer on_mesh(const Instance& instance) {
  const auto network = network_of(NetworkFamily::mesh, instance.ranks);
  if (!network || instance.ranks == 1) return {.note = network ? "needs p > 1" : "needs p = r²"};
  return longest_shift({algorithms::shift_mesh, {.grid = network->grid}}, *network->topology, instance,
                       network->grid.extent(0) + 1);
}

Answer on_hypercube(const Instance& instance) {
  const auto network = network_of(NetworkFamily::hypercube, instance.ranks);
  if (!network || instance.ranks == 1) return {.note = network ? "needs p > 1" : "needs p = 2^d"};
  const int d = ceil_log2(instance.ranks);
  const TopologyPtr ring = embedded(network->topology, ring_in_hypercube(d));
  return longest_shift(algorithms::shift_gray_code, *ring, instance, 2 * d - 1);
}

}  // namespace

std::vector<Row> shift_bound_rows() {
  return {
      {"shift.mesh.sf", "shift", algorithms::shift_mesh.name, name_of(NetworkFamily::mesh),
       Switching::store_and_forward, "at most (ts + tw m)(r + 1)", slides, on_mesh},
      {"shift.hypercube.sf", "shift", algorithms::shift_gray_code.name, "hypercube, the ring embedded by Gray code",
       Switching::store_and_forward, "at most (ts + tw m)(2 d - 1)", slides, on_hypercube},
  };
}

}  // namespace tutti::textbook
