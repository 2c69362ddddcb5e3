/// @file
/// Random messages among the ranks of a communicator, for the stress test.
#pragma once

#include <cstdint>
#include <random>

#include "tutti/tutti.hpp"

namespace tutti::testing {

/// Exchanges up to a dozen messages that `seed` tells: from any rank to any rank, itself included, several of them
/// between the same two, of elements of odd sizes, of no element up to several times what a ring of shared memory
/// holds. Each rank draws from `own` whether its sends or its receives are under way all at once, and which of the
/// others it waits for one by one. Fails the test where anything else arrives than was sent.
void exchange_messages(Communicator& comm, std::uint64_t seed, std::mt19937_64& own);

}  // namespace tutti::testing
