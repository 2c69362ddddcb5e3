/// @file
/// The first of what does not go together, alike on all ranks.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "interpose/mpi/taken.hpp"

namespace tutti::interpose {

/// The least of those that are there, or one that is not. `Wrong` is plain bytes, says whether it is_there(), and has an
/// order.
template <typename Wrong>
Wrong first_of(std::vector<Wrong> all) {
  std::erase_if(all, [](const Wrong& each) { return !each.is_there(); });
  return all.empty() ? Wrong() : *std::min_element(all.begin(), all.end());
}

/// Of what any rank of the communicator has found, all of whom call this; none where MPI cannot say.
template <typename Wrong>
Wrong first_on_any(const Taken& on, const Wrong& own) {
  std::vector<Wrong> found(static_cast<std::size_t>(on.size()));
  constexpr int bytes = sizeof(Wrong);
  const int code = PMPI_Allgather(&own, bytes, MPI_BYTE, found.data(), bytes, MPI_BYTE, on.handle());
  return code == MPI_SUCCESS ? first_of(std::move(found)) : Wrong();
}

}  // namespace tutti::interpose
