/// @file
/// Long blocks that were freed a moment ago, after all of their memory was used.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace tutti::heap {

/// The sizes of the last of them. The next block of one of these sizes is expected to be used to its end, too: programs
/// that need a long block once need it in every turn of a loop. For one thread at a time.
class FullBlocks {
 public:
  void put(std::size_t bytes) noexcept {
    sizes_[next_] = bytes;
    next_ = (next_ + 1) % sizes_.size();
  }
  /// Whether one had that size. Each stands for one block.
  bool take(std::size_t bytes) noexcept {
    auto* const found = std::find(sizes_.begin(), sizes_.end(), bytes);
    if (found == sizes_.end()) return false;
    *found = 0;
    return true;
  }

 private:
  std::array<std::size_t, 16> sizes_{};  // 0: none
  std::size_t next_ = 0;
};

}  // namespace tutti::heap
