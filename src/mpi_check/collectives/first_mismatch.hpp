/// @file
/// First mismatch among those that ranks have found: chosen alike on all ranks.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "mpi_job/communicators/served_communicator.hpp"

namespace tutti::interpose {

/// The least of those that are there, or one that is not. `Mismatch` is plain bytes, says whether it is_there(), and
/// has an order.
template <typename Mismatch>
Mismatch first_mismatch(std::vector<Mismatch> all) {
  std::erase_if(all, [](const Mismatch& each) { return !each.is_there(); });
  return all.empty() ? Mismatch() : *std::min_element(all.begin(), all.end());
}

/// Returns the first fault that any rank of the communicator has found, all of whom call this; none if MPI cannot say.
template <typename Mismatch>
Mismatch first_mismatch_on_any(const ServedCommunicator& on, const Mismatch& own) {
  std::vector<Mismatch> found(static_cast<std::size_t>(on.size()));
  constexpr int bytes = sizeof(Mismatch);
  const int code = PMPI_Allgather(&own, bytes, MPI_BYTE, found.data(), bytes, MPI_BYTE, on.handle());
  return code == MPI_SUCCESS ? first_mismatch(std::move(found)) : Mismatch();
}

}  // namespace tutti::interpose
