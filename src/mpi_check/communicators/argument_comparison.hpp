/// @file
/// Comparison of the arguments that all ranks pass alike to a function that makes a communicator.
///
/// MPI looks at no argument of another rank's: where dimensions of a grid differ, each rank computes neighbours in a
/// grid of its own.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "mpi_check/communicators/graph_edges.hpp"

namespace tutti::interpose {

/// One argument in words.
struct ComparedArgument {
  std::string name;  ///< "dims"
  std::string text;  ///< "2, 2"; empty: it fits any
};

/// After all ranks have come to `function`: throws the first argument in which they differ, on all of them.
void compare_arguments(const char* function, ServedCommunicator& on, const std::vector<ComparedArgument>& arguments);

/// Compares the groups of MPI_Comm_create: all ranks of a group pass that one.
void compare_groups(const char* function, ServedCommunicator& on, MPI_Group group);

using ArgumentComparison = std::function<void(ServedCommunicator& on)>;

/// "2, 2" of so many numbers, and of truth values; empty where MPI refuses them.
std::string words_of_ints(const int* list, int count);
std::string words_of_truths(const int* list, int count);
inline ComparedArgument truth_of(const char* name, int value) { return {name, value != 0 ? "true" : "false"}; }
/// Whether edges have weights, which those of all ranks have or those of none; a rank without edges may pass any.
inline ComparedArgument weights_of(const char* name, int edges, bool has_none) {
  return {name, edges <= 0 ? "" : has_none ? "MPI_UNWEIGHTED" : "given"};
}

// Returns the arguments as words, or as the addresses that Fortran passes.
template <typename A>
ArgumentComparison grid_compared(const char* function, A count, A dims, A periods, A reorder) {
  return [=](ServedCommunicator& on) {
    const int n = argument_of<int, int>(count);
    compare_arguments(function, on,
                      {{"ndims", std::to_string(n)},
                       {"dims", words_of_ints(ints_at(dims), n)},
                       {"periods", words_of_truths(ints_at(periods), n)},
                       truth_of("reorder", argument_of<int, int>(reorder))});
  };
}
template <typename A>
ArgumentComparison part_of_grid_compared(const char* function, A remain) {
  return [=](ServedCommunicator& on) {
    int n = 0;
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(on.handle(), &topology);
    if (topology == MPI_CART) PMPI_Cartdim_get(on.handle(), &n);
    compare_arguments(function, on, {{"remain_dims", words_of_truths(ints_at(remain), n)}});
  };
}
template <typename A>
ArgumentComparison graph_compared(const char* function, A count, A index, A edges, A reorder) {
  return [=](ServedCommunicator& on) {
    const int n = argument_of<int, int>(count);
    const int* const ends = ints_at(index);
    compare_arguments(function, on,
                      {{"nnodes", std::to_string(n)},
                       {"index", words_of_ints(ends, n)},
                       {"edges", n > 0 && ends != nullptr ? words_of_ints(ints_at(edges), ends[n - 1]) : ""},
                       truth_of("reorder", argument_of<int, int>(reorder))});
  };
}
template <typename A>
ArgumentComparison distributed_graph_compared(const char* function, A count, A weights, A reorder) {
  return [=](ServedCommunicator& on) {
    compare_arguments(function, on,
                      {weights_of("weights", argument_of<int, int>(count), are_no_weights(weights)),
                       truth_of("reorder", argument_of<int, int>(reorder))});
  };
}
template <typename A>
ArgumentComparison adjacent_graph_compared(const char* function, A degree_from, A from, A weights_from, A degree_to,
                                           A to, A weights_to, A reorder) {
  return [=](ServedCommunicator& on) {
    compare_arguments(function, on,
                      {weights_of("sourceweights", argument_of<int, int>(degree_from), are_no_weights(weights_from)),
                       weights_of("destweights", argument_of<int, int>(degree_to), are_no_weights(weights_to)),
                       truth_of("reorder", argument_of<int, int>(reorder))});
    compare_edges(function, on, edges(degree_from, from, weights_from), edges(degree_to, to, weights_to));
  };
}
template <typename A>
ArgumentComparison kind_of_split_compared(const char* function, A type) {
  return [=](ServedCommunicator& on) {
    const int kind = argument_of<int, int>(type);
    compare_arguments(function, on, {{"split_type", kind == MPI_UNDEFINED ? "" : std::to_string(kind)}});
  };
}
inline MPI_Group group_of(Word group) { return argument<MPI_Group, int>(group); }
inline MPI_Group group_of(void* group) { return PMPI_Group_f2c(*static_cast<MPI_Fint*>(group)); }
template <typename A>
ArgumentComparison groups_compared(const char* function, A group) {
  return [=](ServedCommunicator& on) { compare_groups(function, on, group_of(group)); };
}

}  // namespace tutti::interpose
