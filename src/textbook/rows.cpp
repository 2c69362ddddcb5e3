#include "textbook/rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/integers.hpp"
#include "textbook/tables.hpp"
#include "topology/named.hpp"

namespace tutti::textbook {
namespace {

constexpr double precision = 1e-9;

std::vector<Row> all_rows() {
  std::vector<Row> all;
  for (const auto& table : {point_to_point_rows, collective_rows, shift_bound_rows}) {
    for (Row& row : table()) all.push_back(std::move(row));
  }
  return all;
}

// The r with r^dimensions = p; 0 where there is none.
int root_of(int p, int dimensions) {
  const int r = static_cast<int>(std::lround(std::pow(p, 1.0 / dimensions)));
  int power = 1;
  for (int k = 0; k < dimensions; ++k) power *= r;
  return power == p ? r : 0;
}

std::optional<Network> cube(int p, int dimensions) {
  const int r = root_of(p, dimensions);
  if (r == 0) return std::nullopt;
  const Shape grid(std::vector<int>(static_cast<std::size_t>(dimensions), r));
  return Network{grid_topology(grid, true), grid, grid_topology(grid, false)};
}

}  // namespace

std::span<const Row> rows() {
  static const std::vector<Row> all = all_rows();
  return all;
}

bool same_time(double a, double b) { return std::abs(a - b) <= precision * std::max(std::abs(a), std::abs(b)); }

std::string_view name_of(Family family) {
  switch (family) {
    case Family::full:
      return "fully connected";
    case Family::linear:
      return "linear array";
    case Family::ring:
      return "ring";
    case Family::mesh:
      return "torus r x r";
    case Family::mesh_3d:
      return "torus c x c x c";
    case Family::any_mesh:
      return "torus";
    case Family::hypercube:
      return "hypercube";
    case Family::tree:
      return "complete binary tree, ranks at the leaves";
  }
  return "?";
}

std::string_view needs_of(Family family) {
  switch (family) {
    case Family::mesh:
      return "p = r²";
    case Family::mesh_3d:
      return "p = c³";
    case Family::hypercube:
    case Family::tree:
      return "p = 2^d";
    default:
      return "";
  }
}

std::optional<Network> network_of(Family family, int ranks) {
  const bool needs_power = family == Family::hypercube || family == Family::tree;
  if (needs_power && !is_power_of_two(ranks)) return std::nullopt;
  switch (family) {
    case Family::full:
      return Network{full_topology(ranks), {}};
    case Family::linear:
      return Network{grid_topology({ranks}, false), {}};
    case Family::ring:
      return Network{grid_topology({ranks}, true), {}, grid_topology({ranks}, false)};
    case Family::mesh:
      return cube(ranks, 2);
    case Family::mesh_3d:
      return cube(ranks, 3);
    case Family::any_mesh: {
      const Shape grid = Shape::nearest_cube(ranks, 2);
      return Network{grid_topology(grid, true), grid, grid_topology(grid, false)};
    }
    case Family::hypercube:
      return Network{hypercube_topology(ceil_log2(ranks)), {}};
    case Family::tree:
      return Network{tree_topology(2, ceil_log2(ranks)), {}};
  }
  return std::nullopt;
}

Machine machine_of(const Instance& instance, Switching switching) {
  return {.switching = switching, .ts = instance.ts, .tw = instance.tw, .th = instance.th};
}

double simulated(Workload& workload, const Topology& topology, const Machine& machine, Answer& answer,
                 Engines engines) {
  const double flows = simulate(workload, topology, machine, {.engine = Engine::flows}).seconds;
  workload.forget_meetings();
  if (engines == Engines::flows || workload.ranks() > most_ranks_for_both) return flows;
  const double rounds = simulate(workload, topology, machine, {.engine = Engine::rounds}).seconds;
  workload.forget_meetings();
  if (!same_time(flows, rounds)) {
    answer.agrees = false;
    add_note(answer, "the two engines disagree");
  }
  return flows;
}

void note_wrap_around(Answer& answer, const Network& network, Workload& workload, const Machine& machine) {
  if (network.with_ends == nullptr || workload.ranks() > most_ranks_for_both || !answer.simulated) return;
  const double seconds = simulate(workload, *network.with_ends, machine, {.engine = Engine::flows}).seconds;
  workload.forget_meetings();
  const bool same = same_time(seconds, *answer.simulated);
  add_note(answer, same ? "holds without wrap-around, too" : "needs the wrap-around");
}

void add_note(Answer& answer, std::string_view sentence) {
  if (sentence.empty()) return;
  if (!answer.note.empty()) answer.note += "; ";
  answer.note += sentence;
}

}  // namespace tutti::textbook
