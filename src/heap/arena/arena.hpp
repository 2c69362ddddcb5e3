/// @file
/// The memory of this process that other ranks may map: large blocks of its heap.
///
/// An arena is a row of addresses, whose first part is reserved when the process begins and whose further extents are
/// reserved when they are first used, and one file of memory without a name, made when the first block is asked for. A
/// byte of the arena has the same offset in both. The part of each extent up to the furthest block that was ever handed
/// out is mapped, and nothing else: mlockall() and core dumps meet what is in use, `ulimit -v` little more. What blocks
/// lie where is known outside of the arena, where no peer can reach it.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "heap/arena/node_pool.hpp"
#include "heap/arena/page_marks.hpp"
#include "heap/arena/recent_blocks.hpp"
#include "heap/arena_description.hpp"
#include "heap/space.hpp"

namespace tutti::heap {

enum class BlockContent { any, zeros };

/// Thread-safe, but for what fork() needs. Never destroyed, because programs free memory to their last moment.
class Arena {
 public:
  constexpr Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Chooses the addresses, as many as this process's limits suggest, and reserves the first of them; false where there
  /// are none. Before all else.
  bool reserve() noexcept;

  bool contains(const void* address) const noexcept {
    // Relaxed: who has a block's address has it, by whatever way, from the thread that has reserved its extent before.
    return reinterpret_cast<std::uintptr_t>(address) - base_ < reserved_.load(std::memory_order_relaxed);
  }
  /// A block at an address that `alignment` divides, a power of two up to an extent's least size; null where there is
  /// none. It lies in a free piece of at least `room` bytes if there is one, so that it can grow.
  void* allocate(std::size_t bytes, std::size_t alignment, BlockContent content, std::size_t room = 0) noexcept;
  /// Functions for a block that allocate() has returned, all three. A free address that is no block's ends the process,
  /// as glibc does.
  void free(void* block) noexcept;
  std::size_t bytes_of(const void* block) noexcept;
  /// Bytes from that address to the end of the block in use that has it; 0 where none has.
  std::size_t bytes_from(const void* address) noexcept;
  /// Another size for the block where it lies; false where there is no room for it, and then nothing has changed.
  bool resize(void* block, std::size_t bytes) noexcept;
  /// Tells of the arena; false where other processes cannot map it.
  bool describe(ArenaDescription& description) noexcept;

  // For fork(): the lock is held from before it to after it, in both processes.

  void lock() noexcept { pthread_mutex_lock(&mutex_); }
  void unlock() noexcept { pthread_mutex_unlock(&mutex_); }
  /// Bytes of all blocks in use. Under the lock.
  std::size_t used() const noexcept { return space_ == nullptr ? 0 : space_->used(); }
  /// Bytes of all free pages that have a mark, which hold something else than zeros. Under the lock.
  std::size_t kept() const noexcept { return kept_; }
  bool is_shared() const noexcept { return state_ == State::shared; }
  /// In the child: all blocks become copies at the same addresses, in a file of this process's own. False where the
  /// system has no room for them.
  bool separate() noexcept;

 private:
  static constexpr int most_extents = 24;

  bool open() noexcept;
  bool make_file() noexcept;
  bool reserve_to(std::size_t end) noexcept;
  bool has_file() const noexcept;
  bool has_nodes() noexcept;
  std::optional<std::size_t> take_again(std::size_t bytes) noexcept;
  bool map(std::size_t offset, std::size_t bytes) noexcept;
  bool provide(std::size_t offset, std::size_t bytes) noexcept;
  std::size_t mapped_of(std::size_t offset, std::size_t bytes) const noexcept;
  bool give_pages_back(std::size_t offset, std::size_t bytes) noexcept;
  void free_long(std::size_t offset, std::size_t bytes) noexcept;
  void keep_within_peak() noexcept;
  void keep(std::size_t most) noexcept;
  bool separate(const Extent& extent, int before) noexcept;
  std::size_t offset_of(const void* block) const noexcept { return reinterpret_cast<std::uintptr_t>(block) - base_; }
  std::byte* at(std::size_t offset) const noexcept {
    return reinterpret_cast<std::byte*>(base_ + offset);  // NOLINT: an address is what it is
  }

  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;  // bytes of all extents
  int extents_ = 0;
  std::atomic<std::size_t> reserved_{0};  // bytes from the base on; grows alone, under the lock

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;                        // guards what follows
  enum class State { closed, shared, own, refused } state_ = State::closed;  // own: a child's that has got no file
  NodePool nodes_;
  Space* space_ = nullptr;
  alignas(Space) std::array<std::byte, sizeof(Space)> place_{};  // memory of the space
  std::array<std::size_t, most_extents> mapped_{};               // mapped bytes of each extent, from its beginning on
  RecentBlocks recent_;
  FullBlocks full_;
  PageMarks marks_;
  std::size_t kept_ = 0;  // bytes of free pages with a mark
  std::size_t most_kept_ = 0;
  std::size_t peak_ = 0;       // largest number of bytes in use
  bool is_strict_ = false;     // the system promises no memory that it may not have
  bool has_one_node_ = false;  // pages are as near to one thread as to another
  int file_ = -1;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
  std::uint64_t secret_ = 0;
};

}  // namespace tutti::heap
