#include "topology/cuts/narrowest.hpp"

#include <numeric>

#include "base/check.hpp"
#include "topology/cuts/integer_flow.hpp"

namespace tutti {
namespace {

NarrowCut cut_of(const Capacities& capacities, const Supplies& supplies, std::vector<char> inside) {
  NarrowCut cut{.inside = std::move(inside)};
  for (int rank = 0; rank < capacities.ranks(); ++rank) {
    if (cut.inside[static_cast<std::size_t>(rank)]) cut.supply += supplies[static_cast<std::size_t>(rank)];
  }
  cut.capacity = capacities.out_of(cut.inside);
  return cut;
}

// All but one rank, of which that rank must hear over its own links.
NarrowCut all_but(const Capacities& capacities, const Supplies& supplies, int rank) {
  std::vector<char> inside(static_cast<std::size_t>(capacities.nodes()), 1);
  inside[static_cast<std::size_t>(rank)] = 0;
  return cut_of(capacities, supplies, std::move(inside));
}

bool is_narrower(const NarrowCut& one, const NarrowCut& other) {
  return one.supply * other.capacity > other.supply * one.capacity;
}

}  // namespace

std::optional<NarrowCut> cut_too_narrow(const Capacities& capacities, const Supplies& supplies) {
  const int source = capacities.nodes();
  Capacities fed = capacities.with_nodes(1);
  for (int rank = 0; rank < capacities.ranks(); ++rank) fed.at(source, rank) = supplies[static_cast<std::size_t>(rank)];
  const std::int64_t all = std::accumulate(supplies.begin(), supplies.end(), std::int64_t{0});
  IntegerFlow flow(fed);
  for (int rank = 0; rank < capacities.ranks(); ++rank) {
    // A supply of one rank alone, or of all of it, flows there straight.
    if (supplies[static_cast<std::size_t>(rank)] == all || flow.greatest(source, rank) >= all) continue;
    std::vector<char> inside = flow.sources_side();
    inside.pop_back();
    return cut_of(capacities, supplies, std::move(inside));
  }
  return std::nullopt;
}

NarrowCut narrowest_cut(const Capacities& capacities, const Supplies& supplies) {
  NarrowCut narrowest = all_but(capacities, supplies, 0);
  for (int rank = 1; rank < capacities.ranks(); ++rank) {
    const NarrowCut cut = all_but(capacities, supplies, rank);
    if (is_narrower(cut, narrowest)) narrowest = cut;
  }
  while (true) {
    require(narrowest.capacity > 0, "some of the ranks cannot reach the others");
    const std::int64_t common = std::gcd(narrowest.supply, narrowest.capacity);
    Supplies scaled = supplies;
    for (std::int64_t& supply : scaled) supply *= narrowest.capacity / common;
    const auto narrower = cut_too_narrow(capacities.times(narrowest.supply / common, 1), scaled);
    if (!narrower) return narrowest;
    narrowest = cut_of(capacities, supplies, narrower->inside);
  }
}

}  // namespace tutti
