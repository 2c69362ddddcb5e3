// Entries of C of the collectives that are served: the names that a program finds here before it finds MPI's.

#include <mpi.h>

#include <type_traits>
#include <utility>

#include "interpose/entry/collective_entry.hpp"
#include "mpi_check/collectives/call_data.hpp"
#include "mpi_check/collectives/intercomm_signatures.hpp"
#include "mpi_job/arguments/argument_word.hpp"

namespace tutti::interpose {

#include "interpose/generated/served_c.inc"

}  // namespace tutti::interpose
