/// @file
/// Memory that other ranks read in place.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "tutti/detail/export.hpp"

namespace tutti {

/// n elements, zero at first, aligned to 64 bytes. A range like any other: it goes wherever a span goes.
///
/// Communicator::allocate makes it. Where ranks are processes, others read and write it directly, which for elsewhere
/// allocated memory takes a system call or a copy more. It may outlive the communicator. Members that name neither
/// errors nor cost have no errors and take constant time.
template <typename T>
class Memory {
 public:
  /// Type of an element, as of containers.
  using value_type = T;

  /// Memory of no elements, or of `size` elements that `owner` keeps.
  Memory() = default;
  Memory(std::shared_ptr<void> owner, std::size_t size) : owner_(std::move(owner)), size_(size) {}
  /// The other one is empty afterwards. No errors. Cost: what was here before is freed.
  Memory(Memory&& other) noexcept : owner_(std::move(other.owner_)), size_(std::exchange(other.size_, 0)) {}
  Memory& operator=(Memory&& other) noexcept {
    owner_ = std::move(other.owner_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Returns the first element; null where there is none.
  T* data() { return static_cast<T*>(owner_.get()); }
  const T* data() const { return static_cast<const T*>(owner_.get()); }
  /// Returns the number of elements, and whether there is none.
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Begin and end of the elements, as of a range.
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  /// Returns element `i`, in [0, size()), which is not checked.
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  std::shared_ptr<void> owner_;
  std::size_t size_ = 0;
};

// ---- Memory for allocators of a program's own, such as one of tensors. Such a block belongs to the process and not to a
// communicator: it may be allocated before ranks come together, and serves one world after another.

/// Returns a block of at least `bytes` bytes, aligned to a page, with any content. The other ranks of each world that
/// this process joins after its first such block reach it in place. No errors: null where there is none to be had, and
/// with TUTTI_HEAP=0. A child of fork() has a copy of its own. Thread-safe. Cost: that of malloc(), and of each page
/// that is touched; a block of less than 16 KiB takes 16 KiB.
TUTTI_API void* allocate_shared(std::size_t bytes) noexcept;
/// Frees a block of allocate_shared(), on any thread. Null is allowed; other addresses are errors that nobody finds.
/// Cost: that of free().
TUTTI_API void free_shared(void* block) noexcept;
/// Returns whether the address lies in the heap that this process shares: a block of allocate_shared(), or, where
/// tutti's heap is preloaded, any long block of malloc(). No errors. Cost: some comparisons.
TUTTI_API bool is_shared(const void* address) noexcept;

}  // namespace tutti
