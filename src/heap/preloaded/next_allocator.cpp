#include "heap/preloaded/next_allocator.hpp"

#include <dlfcn.h>

#include <array>
#include <cstring>

namespace tutti::heap {
namespace {

template <typename Function>
void find(Function*& function, const char* name) {
  if (void* const found = dlsym(RTLD_NEXT, name)) function = reinterpret_cast<Function*>(found);
}

const NextAllocator& found() {
  find(next.malloc, "malloc");
  find(next.calloc, "calloc");
  find(next.realloc, "realloc");
  find(next.free, "free");
  find(next.memalign, "memalign");
  find(next.aligned_alloc, "aligned_alloc");
  find(next.posix_memalign, "posix_memalign");
  find(next.malloc_usable_size, "malloc_usable_size");
  return next;
}

/// The name, without its folder, of the library that an address belongs to.
const char* library_of(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "another library";
  const char* const slash = std::strrchr(info.dli_fname, '/');
  return slash == nullptr ? info.dli_fname : slash + 1;
}

}  // namespace

constinit NextAllocator next{
    [](std::size_t bytes) { return found().malloc(bytes); },
    [](std::size_t count, std::size_t size) { return found().calloc(count, size); },
    [](void* block, std::size_t bytes) { return found().realloc(block, bytes); },
    [](void* block) { found().free(block); },
    [](std::size_t alignment, std::size_t bytes) { return found().memalign(alignment, bytes); },
    [](std::size_t alignment, std::size_t bytes) { return found().aligned_alloc(alignment, bytes); },
    [](void** to, std::size_t alignment, std::size_t bytes) { return found().posix_memalign(to, alignment, bytes); },
    [](void* block) { return found().malloc_usable_size(block); },
};

const char* reason_to_step_aside(bool is_asked_first) noexcept {
  constexpr std::array sanitizers{"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init", "__lsan_init"};
  for (const char* const name : sanitizers) {
    if (dlsym(RTLD_DEFAULT, name) != nullptr) return "a sanitizer";
  }
  if (!is_asked_first) {
    // Valgrind calls its own functions in place of those that have these names.
    const char* const asked = library_of(dlsym(RTLD_DEFAULT, "malloc"));
    return std::strcmp(asked, library_of(&next)) == 0 ? "a tool that watches memory, such as Valgrind" : asked;
  }
  const char* const name = library_of(dlsym(RTLD_NEXT, "malloc"));
  return std::strncmp(name, "libc.so", 7) == 0 || std::strncmp(name, "libc-", 5) == 0 ? nullptr : name;
}

}  // namespace tutti::heap
