/// @file
/// Memory for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace tutti::runtime {

/// Bytes that no initialization touches, aligned for any element type.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::int64_t bytes)
      : memory_(static_cast<std::byte*>(::operator new[](static_cast<std::size_t>(bytes), std::align_val_t{64}))) {}
  std::byte* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace tutti::runtime
