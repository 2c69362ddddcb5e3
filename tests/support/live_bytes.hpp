/// @file
/// Bytes that a test program has from operator new and has not given back; with a sanitizer they are not counted. To be
/// included by one file of a program.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "support/sanitizers.hpp"

namespace tutti::test {

inline std::atomic<std::int64_t> live_bytes = 0;  // relaxed: read where nobody else allocates

}  // namespace tutti::test

// A sanitizer's operators stay: it has operators of its own for memory asked for with std::nothrow, which these would
// give back by other means.
#if !TUTTI_TEST_ADDRESS_SANITIZER && !TUTTI_TEST_THREAD_SANITIZER
void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  tutti::test::live_bytes.fetch_add(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr)
    tutti::test::live_bytes.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif
