/// @file
/// Blocks that were freed a moment ago: short ones, for the next of their size, and the sizes of long ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "heap/pages.hpp"

namespace tutti::heap {

/// The last blocks of each size that a program has freed, for the next of that size: a pair of malloc() and free()
/// takes an eighth of the time that it takes to give a block back and to find it again. The space knows them as blocks
/// in use. All of them together are no more than 4.3 MiB. For one thread at a time.
class RecentBlocks {
 public:
  /// Longest block among these: a longer one takes far longer to be written than to be found.
  static constexpr std::size_t longest = std::size_t{64} << 10;

  /// Takes a block of so many bytes, a multiple of a page, out of these, and returns its place; none if there was none.
  std::optional<std::size_t> take(std::size_t bytes) noexcept {
    if (bytes > longest || of(bytes).size == 0) return std::nullopt;
    return of(bytes).offsets[--of(bytes).size];
  }
  /// Takes the block in; false where it is too long, or there are enough of its size.
  bool put(std::size_t offset, std::size_t bytes) noexcept {
    if (bytes > longest || of(bytes).size == depth) return false;
    of(bytes).offsets[of(bytes).size++] = offset;
    return true;
  }
  bool have(std::size_t offset, std::size_t bytes) noexcept {
    if (bytes > longest) return false;
    const auto end = of(bytes).offsets.begin() + of(bytes).size;
    return std::find(of(bytes).offsets.begin(), end, offset) != end;
  }

 private:
  static constexpr int depth = 8;
  struct OfASize {
    std::array<std::size_t, depth> offsets{};
    int size = 0;
  };

  OfASize& of(std::size_t bytes) noexcept { return sizes_[bytes / page - 1]; }

  std::array<OfASize, longest / page> sizes_{};
};

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
