/// @file
/// What other libraries call tutti's algorithms.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "schedule/algorithm.hpp"

namespace tutti::app {

/// When a library takes the algorithm for what tutti's is.
enum class Applies : std::uint8_t {
  always,
  off_powers_of_two,  ///< at powers of two it does something else
  built_in_operator,  ///< and at least as many elements as the largest power of two of ranks
};

/// The same schedule in another library.
struct Counterpart {
  Collective collective = Collective::broadcast;
  std::string_view algorithm;  ///< tutti's name
  std::string_view call;       ///< the library's name of the collective
  int number = 0;              ///< Open MPI: of the collective, in a file of rules
  int choice = 0;              ///< Open MPI: of the algorithm
  std::string_view name;       ///< the library's name of the algorithm
  Applies applies = Applies::always;
};

/// Open MPI 4.1's coll/tuned: the numbers that `ompi_info --all` lists, and those of collectives in
/// ompi/mca/coll/base/coll_base_functions.h. Not those whose rules look at no size there (scan, exclusive scan), nor
/// those that call whatever other collective Open MPI chooses (an all-reduce of a reduce and a broadcast).
std::span<const Counterpart> openmpi_counterparts();
/// MPICH 4.0's algorithms: the names that its src/mpi/coll/src/csel_container.c reads.
std::span<const Counterpart> mpich_counterparts();

/// The first that does what the algorithm does over so many ranks; null where there is none.
const Counterpart* counterpart_of(std::span<const Counterpart> counterparts, const Algorithm& algorithm, int ranks);

}  // namespace tutti::app
