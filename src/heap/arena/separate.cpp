// Separation of an arena in the child of a fork.

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "heap/arena/arena.hpp"
#include "heap/arena/system.hpp"

namespace tutti::heap {

bool Arena::separate() noexcept {
  mutex_ = PTHREAD_MUTEX_INITIALIZER;
  lock();
  if (state_ != State::shared) return true;
  const int before = has_file() ? file_ : -1;
  state_ = make_file() ? State::shared : State::own;
  bool is_whole = true;
  for (int index = 0; index < extents_ && is_whole; ++index) {
    if (mapped_[static_cast<std::size_t>(index)] != 0) is_whole = separate(Extent::number(index), before);
  }
  marks_.clear();
  kept_ = 0;
  if (before >= 0) close(before);
  return is_whole;
}

/// Separates one extent, whose blocks another process's file holds. Without its descriptor, what is mapped is moved
/// aside, to be copied from there.
bool Arena::separate(const Extent& extent, int before) noexcept {
  std::byte* const memory = at(extent.offset);
  const std::size_t mapped = mapped_[static_cast<std::size_t>(Extent::number_at(extent.offset))];
  std::byte* const moved = before >= 0 ? nullptr : move_aside(memory, mapped);
  if (before < 0 && moved == nullptr) return false;
  const bool is_mapped =
      state_ == State::shared ? map_file(memory, mapped, file_, extent.offset) : map_own(memory, mapped);
  if (!is_mapped) return false;
  const Space::Blocks& blocks = space_->blocks();
  for (auto block = blocks.lower_bound(extent.offset);
       block != blocks.end() && block->first < extent.offset + extent.bytes; ++block) {
    if (moved != nullptr) {
      std::memcpy(at(block->first), moved + (block->first - extent.offset), block->second);
    } else if (!read_file(before, block->first, at(block->first), block->second)) {
      return false;
    }
  }
  if (moved != nullptr) munmap(moved, mapped);
  return true;
}

}  // namespace tutti::heap
