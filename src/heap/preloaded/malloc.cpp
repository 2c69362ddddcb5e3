// malloc() and its kin: blocks from a size on come from the arena, all others from the heap that is there without it.

#include <malloc.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/system/environment.hpp"
#include "heap/arena/arena.hpp"
#include "heap/arena/fork.hpp"
#include "heap/arena/system.hpp"
#include "heap/memory.hpp"
#include "heap/pages.hpp"
#include "heap/preloaded/next_allocator.hpp"

#define TUTTI_HEAP_SHOWN extern "C" [[gnu::visibility("default")]]

namespace tutti::heap {
namespace {

constexpr std::size_t nothing_shared = SIZE_MAX;

constinit Arena arena;
/// From this size on blocks are shared.
constinit std::size_t threshold = nothing_shared;
/// Whether calls are only counted, because it is to be seen whether they come here.
constinit bool is_probing = false;
constinit int probes = 0;

/// The variable in an environment that the C library does not know yet; null where it is not set.
const char* variable_in(char** environment, const char* name) {
  const std::size_t length = std::strlen(name);
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
  }
  return nullptr;
}

bool is_first_rank(char** environment) {
  const char* rank = variable_in(environment, "TUTTI_RANK");
  for (const MpiLauncherVariables& launcher : mpi_launchers) {
    if (rank == nullptr) rank = variable_in(environment, launcher.rank);
  }
  return rank == nullptr || std::strcmp(rank, "0") == 0;
}

void say_that_it_steps_aside(const char* reason) {
  char line[300] = "the heap is not shared, because memory comes from ";
  std::strncat(line, reason, 100);
  std::strcat(line, ": buffers are copied; --heap off leaves this line out");
  say(line);
}

void say_that_it_is_not_known(const char* setting) {
  char line[200] = "TUTTI_HEAP is '";
  std::strncat(line, setting, 60);
  std::strcat(line, "', which counts as 1: 0 has ranks keep heaps of their own, 1 has them share one");
  say(line);
}

/// Whether the program's calls come here, and not to another library's functions of these names. An address would not
/// tell: a program may have an entry of its own for any function.
bool is_asked_first() {
  is_probing = true;
  threshold = 1;
  free(malloc(1));
  threshold = nothing_shared;
  is_probing = false;
  return probes > 0;
}

/// Ends with the threshold set, where blocks are to be shared. Runs when the program begins, before the constructors of
/// all other libraries, the C library's too. Programs with more rights than who starts them are told of no variable.
[[gnu::constructor]] void begin(int, char**, char** environment) {
  if (getauxval(AT_SECURE) != 0) return;
  const char* const setting = variable_in(environment, "TUTTI_HEAP");
  if (setting != nullptr && std::strcmp(setting, "0") == 0) return;
  if (const char* const reason = reason_to_step_aside(is_asked_first())) {
    if (is_first_rank(environment)) say_that_it_steps_aside(reason);
    return;
  }
  const bool is_known = setting == nullptr || *setting == '\0' || std::strcmp(setting, "1") == 0;
  if (!is_known && is_first_rank(environment)) say_that_it_is_not_known(setting);
  if (!arena.reserve()) return;
  guard_forks(arena);
  threshold = shared_from;
}

/// The thread's latest shared block, if it was asked for as zeros: such blocks may be used here and there alone.
struct Zeros {
  const std::byte* memory = nullptr;
  std::size_t bytes = 0;

  bool have(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(memory) < bytes;
  }
};
constinit thread_local Zeros latest_zeros;

bool is_shared(std::size_t bytes) { return bytes >= threshold && bytes <= PTRDIFF_MAX; }

/// A block of the arena where it may be had; null where the next heap is to serve.
void* shared_block(std::size_t bytes, std::size_t alignment, BlockContent content, std::size_t room = 0) {
  if (!is_shared(bytes) || alignment > Extent::least) return nullptr;
  if (is_probing) {
    ++probes;
    return nullptr;
  }
  const int error = errno;
  void* const block = arena.allocate(bytes, alignment, content, room);
  errno = error;
  latest_zeros =
      content == BlockContent::zeros && block != nullptr ? Zeros{static_cast<std::byte*>(block), bytes} : Zeros{};
  return block;
}

void* aligned_block(std::size_t alignment, std::size_t bytes) {
  return std::has_single_bit(alignment) ? shared_block(bytes, alignment, BlockContent::any) : nullptr;
}

/// The program asks for large pages there, as NumPy does for each long array. They are had at once or not at all, so
/// that the machine has to have plenty. A program may ask for more than its block: what lies behind is not its own, and
/// is no memory where no block has been yet.
void advise_large_pages(void* memory, std::size_t bytes) {
  bytes = std::min(bytes, arena.bytes_from(memory));
  if (latest_zeros.have(memory) || bytes > PTRDIFF_MAX / 4 || !has_memory_for(4 * bytes)) return;
  const int error = errno;
  take_large_pages(static_cast<std::byte*>(memory), bytes);
  errno = error;
}

/// Returns the usable bytes of a block of either heap.
std::size_t usable_size(void* block) {
  return arena.contains(block) ? arena.bytes_of(block) : next.malloc_usable_size(block);
}

/// A block elsewhere with the old one's content, which is freed; null where there is none.
void* moved(void* block, std::size_t bytes, void* to) {
  if (to == nullptr) return nullptr;
  std::memcpy(to, block, std::min(usable_size(block), bytes));
  free(block);
  return to;
}

void* resized_shared(void* block, std::size_t bytes) {
  if (is_shared(bytes) && arena.resize(block, bytes)) return block;
  // A block that grows once grows again: it is put where it has room.
  if (void* const to = shared_block(bytes, 1, BlockContent::any, bytes < PTRDIFF_MAX / 2 ? 2 * bytes : 0)) {
    return moved(block, bytes, to);
  }
  return moved(block, bytes, next.malloc(bytes));
}

}  // namespace
}  // namespace tutti::heap

using tutti::heap::aligned_block;
using tutti::heap::arena;
using tutti::heap::BlockContent;
using tutti::heap::next;
using tutti::heap::shared_block;

TUTTI_HEAP_SHOWN bool tutti_heap_arena(tutti::heap::ArenaDescription* description) {
  return tutti::heap::threshold != tutti::heap::nothing_shared && arena.describe(*description);
}

TUTTI_HEAP_SHOWN bool tutti_heap_has(const void* address) { return arena.contains(address); }

TUTTI_HEAP_SHOWN void* malloc(std::size_t bytes) noexcept {
  void* const block = shared_block(bytes, 1, BlockContent::any);
  return block != nullptr ? block : next.malloc(bytes);
}

TUTTI_HEAP_SHOWN void* calloc(std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  const bool fits = !__builtin_mul_overflow(count, size, &bytes);
  void* const block = fits ? shared_block(bytes, 1, BlockContent::zeros) : nullptr;
  return block != nullptr ? block : next.calloc(count, size);
}

TUTTI_HEAP_SHOWN void free(void* block) noexcept {
  if (!arena.contains(block)) return next.free(block);
  const int error = errno;
  arena.free(block);
  errno = error;
}

TUTTI_HEAP_SHOWN void* realloc(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return malloc(bytes);
  if (arena.contains(block)) {
    if (bytes > 0) return tutti::heap::resized_shared(block, bytes);
    free(block);
    return nullptr;
  }
  void* const to = shared_block(bytes, 1, BlockContent::any);
  return to != nullptr ? tutti::heap::moved(block, bytes, to) : next.realloc(block, bytes);
}

TUTTI_HEAP_SHOWN void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(block, bytes);
  errno = ENOMEM;
  return nullptr;
}

TUTTI_HEAP_SHOWN void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  void* const block = aligned_block(alignment, bytes);
  return block != nullptr ? block : next.memalign(alignment, bytes);
}

// Not memalign(), because other heaps may refuse what that takes, as sanitizers and glibc from 2.38 on do.
TUTTI_HEAP_SHOWN void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  void* const block = aligned_block(alignment, bytes);
  return block != nullptr ? block : next.aligned_alloc(alignment, bytes);
}

TUTTI_HEAP_SHOWN int posix_memalign(void** to, std::size_t alignment, std::size_t bytes) noexcept {
  const bool is_valid = std::has_single_bit(alignment) && alignment % sizeof(void*) == 0;
  void* const block = is_valid ? shared_block(bytes, alignment, BlockContent::any) : nullptr;
  if (block == nullptr) return next.posix_memalign(to, alignment, bytes);
  *to = block;
  return 0;
}

TUTTI_HEAP_SHOWN void* valloc(std::size_t bytes) noexcept { return memalign(tutti::heap::page, bytes); }

TUTTI_HEAP_SHOWN void* pvalloc(std::size_t bytes) noexcept {
  const std::size_t rounded = (bytes + tutti::heap::page - 1) / tutti::heap::page * tutti::heap::page;
  return memalign(tutti::heap::page, rounded < bytes ? bytes : rounded);
}

/// A program that gives back pages of its block wants to find zeros there, or does not care; pages of a file would
/// stay. One that asks for large pages would get none.
TUTTI_HEAP_SHOWN int madvise(void* memory, std::size_t bytes, int advice) noexcept {
  const bool is_shared = arena.contains(memory) && arena.is_shared();
  const bool gives_back = advice == MADV_DONTNEED || advice == MADV_FREE;
  const auto result = syscall(SYS_madvise, memory, bytes, is_shared && gives_back ? MADV_REMOVE : advice);
  if (is_shared && advice == MADV_HUGEPAGE && result == 0) tutti::heap::advise_large_pages(memory, bytes);
  return static_cast<int>(result);
}

TUTTI_HEAP_SHOWN std::size_t malloc_usable_size(void* block) noexcept {
  return block == nullptr ? 0 : tutti::heap::usable_size(block);
}
