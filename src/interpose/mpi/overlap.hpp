/// @file
/// Buffers of one call that MPI wants apart.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "tutti/error.hpp"

namespace tutti::interpose {

/// Elements that a call reads or writes.
struct Region {
  const void* at = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// How many bytes of one lie in the other, too. 0 where a type has holes, of which no more is known.
std::int64_t bytes_in_common(const Region& one, const Region& other);

/// What rank `rank` has done wrong where it reads and writes so many bytes; `remedy` follows "MPI wants them apart".
Error overlap(std::string_view call, int rank, std::int64_t bytes, std::string_view remedy);

}  // namespace tutti::interpose
