/// @file
/// Comparison of the edges of a distributed graph: both ranks of an edge list it.
///
/// In MPI_Dist_graph_create_adjacent each rank lists whom its edges lead to, and whom edges to it come from. MPI looks
/// at no list of another rank's: where one rank lists an edge that the other one does not, messages along it are never
/// received, or never sent. Weights that two ranks give are those of the same edges, in any order.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "mpi_check/collectives/nonblocking_signatures.hpp"

namespace tutti::interpose {

/// Edges that a rank lists in one direction.
struct GraphEdges {
  std::vector<int> ends;                    ///< the ranks at their other ends
  std::optional<std::vector<int>> weights;  ///< nothing: the rank gives none
};

/// After all ranks have come to `function`: throws the first that does not go together, on all of them.
void compare_edges(const char* function, ServedCommunicator& on, const GraphEdges& from, const GraphEdges& to);

inline const int* ints_at(Word list) { return reinterpret_cast<const int*>(list); }
inline const int* ints_at(void* list) { return static_cast<const MPI_Fint*>(list); }
inline bool are_no_weights(Word list) {
  return ints_at(list) == MPI_UNWEIGHTED || ints_at(list) == MPI_WEIGHTS_EMPTY || list == 0;
}
bool are_no_weights(void* list);

/// Returns the edges in arguments as words, or as the addresses that Fortran passes. Arguments that MPI refuses have no
/// edges.
template <typename A>
GraphEdges edges(A degree, A ends, A weights) {
  const int count = argument_of<int, int>(degree);
  GraphEdges all;
  if (count <= 0 || ints_at(ends) == nullptr) return all;
  all.ends.assign(ints_at(ends), ints_at(ends) + count);
  if (!are_no_weights(weights)) all.weights.emplace(ints_at(weights), ints_at(weights) + count);
  return all;
}

}  // namespace tutti::interpose
