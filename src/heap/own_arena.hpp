/// @file
/// Arena of this process: that of the preloaded heap, or else one that serves only who asks for it by name.
#pragma once

#include <cstddef>

#include "heap/arena_description.hpp"

namespace tutti::heap {

/// Returns the arena of this process; its base is 0 where it has none. An arena of the second kind is there from the
/// first block on.
ArenaDescription own_arena();
/// Returns the test of whether an address is that arena's; never null.
IsInArena* own_arena_test();

/// Returns a block of the arena, aligned to a page, with any content; null where there is none to be had. Thread-safe.
/// TUTTI_HEAP=0 forbids it, as it forbids the preloaded heap.
void* allocate_in_own_arena(std::size_t bytes) noexcept;
/// Frees a block of allocate_in_own_arena(), on any thread. Null is allowed.
void free_in_own_arena(void* block) noexcept;

}  // namespace tutti::heap
