#include "textbook/tables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "topology/formats/named.hpp"

namespace tutti::textbook {
namespace {

constexpr double precision = 1e-9;

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

std::vector<Row> all_rows() {
  std::vector<Row> all;
  for (const auto& table : {point_to_point_rows, collective_rows, shift_bound_rows}) {
    for (Row& row : table()) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace

bool same_time(double a, double b) { return std::abs(a - b) <= precision * std::max(std::abs(a), std::abs(b)); }

std::string_view name_of(NetworkFamily family) {
  switch (family) {
    case NetworkFamily::full:
      return "fully connected";
    case NetworkFamily::linear:
      return "linear array";
    case NetworkFamily::ring:
      return "ring";
    case NetworkFamily::mesh:
      return "torus r x r";
    case NetworkFamily::mesh_3d:
      return "torus c x c x c";
    case NetworkFamily::any_mesh:
      return "torus";
    case NetworkFamily::hypercube:
      return "hypercube";
    case NetworkFamily::tree:
      return "complete binary tree, ranks at the leaves";
  }
  return "?";
}

std::string_view needs_of(NetworkFamily family) {
  switch (family) {
    case NetworkFamily::mesh:
      return "p = r²";
    case NetworkFamily::mesh_3d:
      return "p = c³";
    case NetworkFamily::hypercube:
    case NetworkFamily::tree:
      return "p = 2^d";
    default:
      return "";
  }
}

std::optional<Network> network_of(NetworkFamily family, int ranks) {
  const bool needs_power = family == NetworkFamily::hypercube || family == NetworkFamily::tree;
  if (needs_power && !is_power_of_two(ranks)) return std::nullopt;
  switch (family) {
    case NetworkFamily::full:
      return Network{full_topology(ranks), {}};
    case NetworkFamily::linear:
      return Network{grid_topology({ranks}, false), {}};
    case NetworkFamily::ring:
      return Network{grid_topology({ranks}, true), {}, grid_topology({ranks}, false)};
    case NetworkFamily::mesh:
      return cube(ranks, 2);
    case NetworkFamily::mesh_3d:
      return cube(ranks, 3);
    case NetworkFamily::any_mesh: {
      const Shape grid = Shape::nearest_cube(ranks, 2);
      return Network{grid_topology(grid, true), grid, grid_topology(grid, false)};
    }
    case NetworkFamily::hypercube:
      return Network{hypercube_topology(ceil_log2(ranks)), {}};
    case NetworkFamily::tree:
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

std::span<const Row> rows() {
  static const std::vector<Row> all = all_rows();
  return all;
}

bool has_row(const Algorithm& algorithm) {
  return std::any_of(rows().begin(), rows().end(), [&](const Row& row) {
    return row.collective == name_of(algorithm.collective) && row.algorithm == algorithm.name;
  });
}

}  // namespace tutti::textbook
