/// @file
/// Proposal: decisions of one rank for all of a run.
#pragma once

#include <array>
#include <cstddef>

namespace tutti::runtime {

/// Bytes that rank 0 says as the ranks meet, and all then know; the transport does not look at them. All zero: nothing.
struct Proposal {
  std::array<std::byte, 9920> bytes = {};
};

/// Makes this process's; called on rank 0 alone.
using Propose = Proposal (*)();

/// Proposes nothing.
inline Proposal no_proposal() { return {}; }

}  // namespace tutti::runtime
