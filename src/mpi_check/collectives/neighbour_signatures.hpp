/// @file
/// Signatures of neighbourhood collectives: exchanges of ranks with their neighbours in a communicator that has a
/// topology.
#pragma once

#include <mpi.h>

#include <optional>
#include <variant>
#include <vector>

#include "mpi_check/collectives/nonblocking_signatures.hpp"

namespace tutti::interpose {

/// By ranks, in MPI's order. Where a neighbour is missing at an end of a grid, it is MPI_PROC_NULL.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
};

/// Neighbours of this rank; nothing where the communicator has no topology.
std::optional<Neighbours> neighbours_of(MPI_Comm handle);

/// The elements for or of each neighbour: the same for all of them, or as lists say, in the order of the neighbours.
using ForEachNeighbour = std::variant<Amount::Elements, Listed>;

/// Returns how many bytes a rank of that communicator of `ranks` ranks sends to each other one along all edges that
/// lead there, and awaits along all that come from there. Nothing is known if the communicator has no topology.
RankFlows flows_of_neighbours(MPI_Comm handle, int ranks, const ForEachNeighbour& sent,
                              const ForEachNeighbour& awaited);

template <typename Count, typename A, typename Sent, typename Awaited>
Amount exchanged_with_neighbours(A communicator, const Sent& sent, const Awaited& awaited) {
  Amount amount;
  // MPI has none of these between groups, where the rank would be negative.
  amount.flows = [=](int rank, int ranks) {
    if (rank < 0) return RankFlows(ranks);
    return flows_of_neighbours(argument_of<MPI_Comm, Count>(communicator), ranks, sent(), awaited());
  };
  return amount;
}

// Arguments of MPI's functions, as those of nonblocking_signatures.hpp.
template <typename Count, typename A>
Amount neighbours(A count, A type, A count_of_output, A type_of_output, A communicator) {
  return exchanged_with_neighbours<Count>(
      communicator, [=] { return elements<Count>(count, type); },
      [=] { return elements<Count>(count_of_output, type_of_output); });
}
template <typename Count, typename A>
Amount neighbours_v(A count, A type, A counts_of_output, A type_of_output, A communicator) {
  return exchanged_with_neighbours<Count>(
      communicator, [=] { return elements<Count>(count, type); },
      [=] { return listed<Count>(counts_of_output, type_of_output); });
}
template <typename Count, typename A>
Amount neighbours_each(A counts, A type, A counts_of_output, A type_of_output, A communicator) {
  return exchanged_with_neighbours<Count>(
      communicator, [=] { return listed<Count>(counts, type); },
      [=] { return listed<Count>(counts_of_output, type_of_output); });
}
template <typename Count, typename A>
Amount neighbours_each_w(A counts, A types, A counts_of_output, A types_of_output, A communicator) {
  return exchanged_with_neighbours<Count>(
      communicator, [=] { return listed_with_types<Count>(counts, types); },
      [=] { return listed_with_types<Count>(counts_of_output, types_of_output); });
}

}  // namespace tutti::interpose
