/// @file
/// The edges of a distributed graph, of which each of the two ranks at its ends tells, compared.
///
/// In MPI_Dist_graph_create_adjacent each rank lists whom its edges lead to, and whom edges to it come from. MPI looks
/// at no list of another rank's: where one rank lists an edge that the other one does not, messages along it are never
/// received, or never sent. Weights that two ranks give are those of the same edges, in any order.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <vector>

#include "interpose/mpi/beginning.hpp"

namespace tutti::interpose {

/// Those that a rank lists in one direction.
struct Edges {
  std::vector<int> ends;                    ///< the ranks at their other ends
  std::optional<std::vector<int>> weights;  ///< nothing: the rank gives none
};

/// After all ranks have come to `function`: throws the first that does not go together, on all of them.
void compare_edges(const char* function, Taken& on, const Edges& from, const Edges& to);

inline const int* ints_at(Word list) { return reinterpret_cast<const int*>(list); }
inline const int* ints_at(void* list) { return static_cast<const MPI_Fint*>(list); }
inline bool are_no_weights(Word list) {
  return ints_at(list) == MPI_UNWEIGHTED || ints_at(list) == MPI_WEIGHTS_EMPTY || list == 0;
}
bool are_no_weights(void* list);

/// Of arguments as words, or as the addresses that Fortran passes. What MPI refuses has no edges.
template <typename A>
Edges edges(A degree, A ends, A weights) {
  const int count = argument_of<int, int>(degree);
  Edges all;
  if (count <= 0 || ints_at(ends) == nullptr) return all;
  all.ends.assign(ints_at(ends), ints_at(ends) + count);
  if (!are_no_weights(weights)) all.weights.emplace(ints_at(weights), ints_at(weights) + count);
  return all;
}
template <typename A>
std::function<void(Taken& on)> edges_compared(const char* function, A degree_from, A from, A weights_from, A degree_to,
                                              A to, A weights_to) {
  return [=](Taken& on) {
    compare_edges(function, on, edges(degree_from, from, weights_from), edges(degree_to, to, weights_to));
  };
}

}  // namespace tutti::interpose
