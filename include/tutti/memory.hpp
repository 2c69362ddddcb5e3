/// @file
/// Memory that other ranks read in place.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace tutti {

/// n elements, zero at first, aligned to 64 bytes. A range like any other: it goes wherever a span goes.
///
/// Communicator::allocate makes it. Where ranks are processes, others read and write it directly, which for elsewhere
/// allocated memory takes a system call or a copy more. It may outlive the communicator.
template <typename T>
class Memory {
 public:
  using value_type = T;

  Memory() = default;
  Memory(std::shared_ptr<void> owner, std::size_t size) : owner_(std::move(owner)), size_(size) {}
  /// The other one is empty afterwards.
  Memory(Memory&& other) noexcept : owner_(std::move(other.owner_)), size_(std::exchange(other.size_, 0)) {}
  Memory& operator=(Memory&& other) noexcept {
    owner_ = std::move(other.owner_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  T* data() { return static_cast<T*>(owner_.get()); }
  const T* data() const { return static_cast<const T*>(owner_.get()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  std::shared_ptr<void> owner_;
  std::size_t size_ = 0;
};

}  // namespace tutti
