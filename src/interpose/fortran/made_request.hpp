/// @file
/// Requests that Fortran's functions make.
#pragma once

#include <mpi.h>

#include "mpi_check/point_to_point/mpi_call.hpp"

namespace tutti::interpose {

/// Returns the result of `begin` for a call that leaves the request that it has made in `request`.
template <typename Begin>
int with_request(void* request, const OfMpi& call, Begin begin) {
  MPI_Request made = MPI_REQUEST_NULL;
  bool is_called = false;
  const int begun = begin(&made, [&] {
    is_called = true;
    const int code = call();
    made = PMPI_Request_f2c(*static_cast<MPI_Fint*>(request));
    return code;
  });
  if (!is_called) *static_cast<MPI_Fint*>(request) = PMPI_Request_c2f(made);
  return begun;
}

}  // namespace tutti::interpose
