#include "mpi_check/collectives/neighbour_signatures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tutti::interpose {
namespace {

Neighbours neighbours_in_grid(MPI_Comm handle) {
  int dimensions = 0;
  PMPI_Cartdim_get(handle, &dimensions);
  Neighbours all;
  for (int k = 0; k < dimensions; ++k) {
    int before = MPI_PROC_NULL;
    int behind = MPI_PROC_NULL;
    PMPI_Cart_shift(handle, k, 1, &before, &behind);
    all.sources.insert(all.sources.end(), {before, behind});
  }
  all.destinations = all.sources;
  return all;
}

Neighbours neighbours_in_graph(MPI_Comm handle) {
  int rank = 0;
  int count = 0;
  PMPI_Comm_rank(handle, &rank);
  PMPI_Graph_neighbors_count(handle, rank, &count);
  Neighbours all;
  all.sources.resize(static_cast<std::size_t>(count));
  PMPI_Graph_neighbors(handle, rank, count, all.sources.data());
  all.destinations = all.sources;
  return all;
}

Neighbours neighbours_in_distributed_graph(MPI_Comm handle) {
  int sources = 0;
  int destinations = 0;
  int is_weighted = 0;
  PMPI_Dist_graph_neighbors_count(handle, &sources, &destinations, &is_weighted);
  Neighbours all;
  all.sources.resize(static_cast<std::size_t>(sources));
  all.destinations.resize(static_cast<std::size_t>(destinations));
  // MPI writes weights where there are any.
  std::vector<int> weights(static_cast<std::size_t>(sources + destinations) + 1);
  PMPI_Dist_graph_neighbors(handle, sources, all.sources.data(), weights.data(), destinations, all.destinations.data(),
                            weights.data() + sources);
  return all;
}

/// Returns the bytes for each of so many neighbours; -1: not known.
std::vector<std::int64_t> bytes_for(const ForEachNeighbour& what, std::size_t neighbours) {
  if (const auto* const lists = std::get_if<Listed>(&what)) return bytes_of(*lists, static_cast<int>(neighbours));
  std::vector<std::int64_t> all(neighbours);
  std::fill(all.begin(), all.end(), bytes_of(std::get<Amount::Elements>(what)).value_or(-1));
  return all;
}

/// Returns the bytes of each rank, in all.
std::vector<std::int64_t> sums(int ranks, const std::vector<int>& neighbours, const ForEachNeighbour& what) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks), 0);
  const std::vector<std::int64_t> bytes = bytes_for(what, neighbours.size());
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    if (neighbours[k] < 0 || neighbours[k] >= ranks) continue;
    std::int64_t& sum = all[static_cast<std::size_t>(neighbours[k])];
    sum = sum < 0 || bytes[k] < 0 ? -1 : sum + bytes[k];
  }
  return all;
}

}  // namespace

std::optional<Neighbours> neighbours_of(MPI_Comm handle) {
  int topology = MPI_UNDEFINED;
  if (PMPI_Topo_test(handle, &topology) != MPI_SUCCESS) return std::nullopt;
  if (topology == MPI_CART) return neighbours_in_grid(handle);
  if (topology == MPI_GRAPH) return neighbours_in_graph(handle);
  if (topology == MPI_DIST_GRAPH) return neighbours_in_distributed_graph(handle);
  return std::nullopt;
}

RankFlows flows_of_neighbours(MPI_Comm handle, int ranks, const ForEachNeighbour& sent,
                              const ForEachNeighbour& awaited) {
  RankFlows flows(ranks);
  const std::optional<Neighbours> neighbours = neighbours_of(handle);
  if (!neighbours) return flows;
  flows.sent = sums(ranks, neighbours->destinations, sent);
  flows.awaited = sums(ranks, neighbours->sources, awaited);
  return flows;
}

}  // namespace tutti::interpose
