#include "algorithms/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/all_reduce/all_reduce.hpp"
#include "algorithms/all_to_all/all_to_all.hpp"
#include "algorithms/barrier/barrier.hpp"
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/gather/gather.hpp"
#include "algorithms/own.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/scan/scan.hpp"
#include "algorithms/scatter/scatter.hpp"
#include "algorithms/shift/shift.hpp"
#include "base/check.hpp"
#include "base/nearest_name.hpp"

namespace tutti::algorithms {
namespace {

constexpr std::array table{
    &broadcast_linear,
    &broadcast_binomial,
    &broadcast_k_nomial,
    &broadcast_ring,
    &broadcast_mesh,
    &broadcast_chain,
    &broadcast_scatter_all_gather,
    &broadcast_scatter_all_gather_doubling,
    &broadcast_scatter_all_gather_mesh,
    &broadcast_scatter_all_gather_mesh_pat,
    &broadcast_n_block,
    &broadcast_two_tree,
    &broadcast_bine,
    &broadcast_disjoint_trees,
    &broadcast_direct,
    &broadcast_leaders,
    &broadcast_multi_leader,
    &reduce_linear,
    &reduce_binomial,
    &reduce_k_nomial,
    &reduce_ring,
    &reduce_mesh,
    &reduce_chain,
    &reduce_scatter_gather,
    &reduce_scatter_gather_halving,
    &reduce_scatter_gather_mesh,
    &reduce_scatter_gather_mesh_pat,
    &reduce_n_block,
    &reduce_two_tree,
    &reduce_bine,
    &reduce_disjoint_trees,
    &reduce_flat,
    &reduce_direct,
    &reduce_leaders,
    &reduce_multi_leader,
    &all_reduce_reduce_broadcast,
    &all_reduce_recursive_doubling,
    &all_reduce_recursive_multiplying,
    &all_reduce_ring,
    &all_reduce_rabenseifner,
    &all_reduce_circulant,
    &all_reduce_two_tree,
    &all_reduce_swing,
    &all_reduce_bine,
    &all_reduce_mesh,
    &all_reduce_mesh_multi_port,
    &all_reduce_mesh_pat,
    &all_reduce_flat,
    &all_reduce_direct,
    &all_reduce_leaders,
    &all_reduce_multi_leader,
    &all_reduce_multi_leader_doubling,
    &scan_chain,
    &scan_chain_pipelined,
    &scan_recursive_doubling,
    &scan_dissemination,
    &scan_halving,
    &scan_two_tree,
    &scan_flat,
    &scan_leaders,
    &exclusive_scan_chain,
    &exclusive_scan_chain_pipelined,
    &exclusive_scan_recursive_doubling,
    &exclusive_scan_123_doubling,
    &exclusive_scan_halving,
    &exclusive_scan_two_tree,
    &exclusive_scan_flat,
    &exclusive_scan_leaders,
    &scatter_linear,
    &scatter_binomial,
    &scatter_k_nomial,
    &scatter_mesh,
    &scatter_leaders,
    &gather_linear,
    &gather_binomial,
    &gather_k_nomial,
    &gather_mesh,
    &gather_leaders,
    &all_gather_linear,
    &all_gather_ring,
    &all_gather_k_ring,
    &all_gather_recursive_doubling,
    &all_gather_bruck,
    &all_gather_k_bruck,
    &all_gather_circulant,
    &all_gather_n_block,
    &all_gather_swing,
    &all_gather_bine,
    &all_gather_pat,
    &all_gather_ring_bidirectional,
    &all_gather_neighbour_exchange,
    &all_gather_mesh,
    &all_gather_mesh_multi_port,
    &all_gather_mesh_pat,
    &all_gather_gather_broadcast,
    &all_gather_leaders,
    &all_gather_multi_leader,
    &reduce_scatter_linear,
    &reduce_scatter_ring,
    &reduce_scatter_k_ring,
    &reduce_scatter_recursive_halving,
    &reduce_scatter_bruck,
    &reduce_scatter_circulant,
    &reduce_scatter_n_block,
    &reduce_scatter_swing,
    &reduce_scatter_bine,
    &reduce_scatter_pat,
    &reduce_scatter_neighbour_exchange,
    &reduce_scatter_mesh,
    &reduce_scatter_mesh_multi_port,
    &reduce_scatter_mesh_pat,
    &reduce_scatter_reduce_then_scatter,
    &reduce_scatter_direct,
    &reduce_scatter_leaders,
    &reduce_scatter_multi_leader,
    &all_to_all_linear,
    &all_to_all_ring,
    &all_to_all_ring_bidirectional,
    &all_to_all_mesh,
    &all_to_all_mesh_direct,
    &all_to_all_hypercube,
    &all_to_all_pairwise,
    &all_to_all_pairwise_modular,
    &all_to_all_bruck,
    &all_to_all_k_bruck,
    &all_to_all_tree,
    &all_to_all_multi_leader,
    &shift_direct,
    &shift_ring,
    &shift_mesh,
    &shift_gray_code,
    &barrier_dissemination,
    &barrier_tree,
    &barrier_flat,
    &barrier_leaders,
};

bool answers_to(const Algorithm& algorithm, std::string_view name) {
  return std::find(algorithm.aliases.begin(), algorithm.aliases.end(), name) != algorithm.aliases.end();
}

std::vector<std::string_view> names_for(Collective collective) {
  std::vector<std::string_view> names;
  for (const Algorithm* algorithm : algorithms_for(collective)) {
    names.push_back(algorithm->name);
    names.insert(names.end(), algorithm->aliases.begin(), algorithm->aliases.end());
  }
  return names;
}

// How far apart two algorithms' costs are, where both fit: 16 ranks and a message that they divide.
double cost_distance(const Algorithm& a, const Algorithm& b) {
  const Problem problem{.collective = a.collective, .ranks = 16, .count = 256, .distance = 5};
  const Claims x = a.claims(problem);
  const Claims y = b.claims(problem);
  const auto ratio = [](std::int64_t s, std::int64_t t) {
    return std::abs(std::log(static_cast<double>(s + 1) / static_cast<double>(t + 1)));
  };
  return ratio(x.rounds, y.rounds) + ratio(x.elements, y.elements);
}

// Of the algorithms that fit, the one that costs most nearly what `wanted` does; null where none fits.
const Algorithm* nearest_fitting(const Problem& problem, const Algorithm& wanted, const Layout& layout) {
  const Algorithm* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Algorithm* candidate : algorithms_for(problem.collective)) {
    if (unmet_need(*candidate, problem, layout)) continue;
    const double distance = cost_distance(wanted, *candidate);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

// ", which all-gather and all-to-all have": the collectives that have an algorithm of that name.
std::string elsewhere_in_words(std::string_view name) {
  std::vector<std::string_view> owners;
  for (const Collective collective : all_collectives()) {
    if (find(collective, name) != nullptr) owners.push_back(name_of(collective));
  }
  if (owners.empty()) return {};
  const std::string_view last = owners.back();
  owners.pop_back();
  if (owners.empty()) return fmt::format(", which {} has", last);
  return fmt::format(", which {} and {} have", fmt::join(owners, ", "), last);
}

}  // namespace

std::span<const Algorithm* const> catalogue() { return table; }

std::vector<const Algorithm*> algorithms_for(Collective collective) {
  std::vector<const Algorithm*> found;
  std::copy_if(table.begin(), table.end(), std::back_inserter(found),
               [&](const Algorithm* algorithm) { return algorithm->collective == collective; });
  return found;
}

const Algorithm* find(Collective collective, std::string_view name) {
  const std::vector<const Algorithm*> candidates = algorithms_for(collective);
  for (const Algorithm* algorithm : candidates) {
    if (algorithm->name == name) return algorithm;
  }
  for (const Algorithm* algorithm : candidates) {
    if (answers_to(*algorithm, name)) return algorithm;
  }
  return find_own(collective, name);
}

const Algorithm& fitting(const Problem& problem, std::string_view name, const Layout& layout) {
  const std::string_view collective = name_of(problem.collective);
  const Algorithm* found = find(problem.collective, name);
  if (found == nullptr) {
    fail(ErrorCode::invalid_argument, "{} has no algorithm '{}'{}; {}", collective, name, elsewhere_in_words(name),
         nearest_in_words(name, names_for(problem.collective)));
  }
  if (const auto need = unmet_need(*found, problem, layout)) {
    const Algorithm* instead = nearest_fitting(problem, *found, layout);
    fail(ErrorCode::unsupported, "{} by {} needs {}; {}", collective, found->name, describe(*need),
         instead ? fmt::format("'{}' is the nearest that fits {}", instead->name, describe(problem))
                 : fmt::format("no algorithm fits {}", describe(problem)));
  }
  return *found;
}

}  // namespace tutti::algorithms
