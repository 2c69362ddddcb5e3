/// @file
/// Overlap of the buffers of one call, which MPI forbids.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "tutti/error.hpp"

namespace tutti::interpose {

/// Elements that a call reads or writes.
struct BufferRegion {
  const void* at = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// Returns how many bytes of one lie in the other, too. 0 if a type has holes, of which no more is known.
std::int64_t bytes_in_common(const BufferRegion& one, const BufferRegion& other);

/// Returns the error of rank `rank`, which reads and writes so many bytes; `remedy` follows "MPI wants them apart".
Error overlap(std::string_view call, int rank, std::int64_t bytes, std::string_view remedy);

}  // namespace tutti::interpose
