/// @file
/// The heap that would serve the program without this library.
#pragma once

#include <cstddef>

namespace tutti::heap {

/// Its functions, glibc's or those of another library behind this one.
struct NextAllocator {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  void* (*memalign)(std::size_t, std::size_t);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
  std::size_t (*malloc_usable_size)(void*);
};

/// Each function finds all of them when it is called first.
extern NextAllocator next;

/// Whose memory the program has, if this library is to leave all of it to that heap; null where it need not.
/// `is_asked_first` is whether the program's calls of malloc() come to this library.
const char* reason_to_step_aside(bool is_asked_first) noexcept;

}  // namespace tutti::heap
