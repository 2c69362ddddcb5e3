/// @file
/// Processes that fork and write into the memory that they had together: of the program `allocating`.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "unit/heap/checked_blocks.hpp"

namespace tutti::test {

void expect_success(pid_t child);

/// Says on standard error how many blocks were shared.
void fork_often(Random& random, int rounds);

/// The program has closed all that it has not opened, has files of its own under those numbers, and no numbers left.
void fork_without_descriptors(Random& random, int rounds);

/// A fork() that the system refuses fails at once, though there are no descriptors left, and says why. What the heap
/// holds of it is free again. The alarm ends the program where it waits for a child that is not there.
void fork_in_vain(Random& random, int rounds);

/// Threads allocate while others fork.
void fork_among_threads(std::uint64_t seed, int rounds);

}  // namespace tutti::test
