/// @file
/// Which machine this process runs on.
#pragma once

#include <cstdint>

namespace tutti::runtime {

/// A number that is the same for all processes of one machine and differs between machines, but by a chance of 2^-64:
/// of the kernel's boot id, or of the host's name where that cannot be read. The environment's TUTTI_NODE names another
/// one, so that programs for several nodes can be tried on one.
std::uint64_t node_identity();

}  // namespace tutti::runtime
