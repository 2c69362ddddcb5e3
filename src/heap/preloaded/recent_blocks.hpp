/// @file
/// Short blocks that were freed a moment ago.
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
  /// What is longer takes far longer to be written than to be found.
  static constexpr std::size_t longest = std::size_t{64} << 10;

  /// Where a block of so many bytes lies, a multiple of a page, that is no longer among these; none where none was.
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

}  // namespace tutti::heap
