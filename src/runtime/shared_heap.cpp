#include "tutti/memory.hpp"

#include "heap/own_arena.hpp"

namespace tutti {

void* allocate_shared(std::size_t bytes) noexcept { return heap::allocate_in_own_arena(bytes); }

void free_shared(void* block) noexcept { heap::free_in_own_arena(block); }

bool is_shared(const void* address) noexcept {
  static heap::IsInArena* const is_in_arena = heap::own_arena_test();
  return is_in_arena(address);
}

}  // namespace tutti
