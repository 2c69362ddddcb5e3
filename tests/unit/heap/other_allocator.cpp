/// @file
/// An allocator that is preloaded beside the shared heap: it counts, and leaves the work to glibc.

#include <atomic>
#include <cstddef>
#include <cstdio>

extern "C" {

void* __libc_malloc(std::size_t bytes);
void __libc_free(void* block);

[[gnu::visibility("default")]] std::atomic<long> other_allocator_blocks;

[[gnu::visibility("default")]] void* malloc(std::size_t bytes) {
  ++other_allocator_blocks;
  return __libc_malloc(bytes);
}

[[gnu::visibility("default")]] void free(void* block) { __libc_free(block); }
}
