#include "heap/own_arena.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "base/system/environment.hpp"
#include "heap/arena/arena.hpp"
#include "heap/arena/fork.hpp"
#include "heap/pages.hpp"

namespace tutti::heap {
namespace {

/// Arena of a process without the preloaded heap. Never destroyed, as the preloaded one.
constinit Arena arena;

bool is_in_arena(const void* address) { return arena.contains(address); }

template <typename Function>
Function* preloaded(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

bool is_forbidden() {
  const char* const setting = environment_variable("TUTTI_HEAP");
  return setting != nullptr && std::strcmp(setting, "0") == 0;
}

/// Whether the arena of this library has addresses, which it gets at the first question.
bool is_open() {
  static const bool is_reserved = [] {
    if (is_forbidden() || !arena.reserve()) return false;
    guard_forks(arena);
    return true;
  }();
  return is_reserved;
}

IsInArena* preloaded_test() {
  static IsInArena* const test = preloaded<IsInArena>(is_in_arena_name);
  return test;
}

}  // namespace

ArenaDescription own_arena() {
  ArenaDescription description;
  auto* const describe = preloaded<DescribeArena>(describe_arena_name);
  const bool is_there = describe != nullptr ? describe(&description) : arena.describe(description);
  return is_there ? description : ArenaDescription{};
}

IsInArena* own_arena_test() { return preloaded_test() != nullptr ? preloaded_test() : is_in_arena; }

void* allocate_in_own_arena(std::size_t bytes) noexcept {
  if (bytes < shared_from) bytes = shared_from;
  IsInArena* const is_preloaded = preloaded_test();
  if (is_preloaded == nullptr) return is_open() ? arena.allocate(bytes, page, BlockContent::any) : nullptr;
  void* const block = std::aligned_alloc(page, round_up(bytes, page));
  if (block == nullptr || is_preloaded(block)) return block;
  std::free(block);
  return nullptr;
}

void free_in_own_arena(void* block) noexcept {
  if (block == nullptr) return;
  if (preloaded_test() != nullptr) {
    std::free(block);
  } else {
    arena.free(block);
  }
}

}  // namespace tutti::heap
