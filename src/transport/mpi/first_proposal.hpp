/// @file
/// What rank 0 proposes to ranks that MPI connects.
#pragma once

#include "transport/mpi/plugin.hpp"
#include "transport/proposal.hpp"

namespace tutti::runtime {

/// What `propose` makes on rank 0, on every rank; all ranks call it. Where that throws, what it throws on rank 0, and
/// `Error(peer_failed)` with its reason on all others, which would wait for rank 0 otherwise.
Proposal first_proposal(const Plugin& plugin, int rank, Propose propose);

}  // namespace tutti::runtime
