/// @file
/// A mark for each page of an arena.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "heap/pages.hpp"

namespace tutti::heap {

/// Pages that may hold something else than zeros though no block in use has them. Marks of pages that are in use mean
/// nothing. The marks have memory of their own, of which the system gives only what is touched. For one thread at a
/// time, but for pages that are in use.
class PageMarks {
 public:
  constexpr PageMarks() = default;

  /// For an arena of so many bytes; false where the system has no room.
  bool reserve(std::size_t bytes) noexcept;
  void release() noexcept;
  /// All marks are taken off.
  void clear() noexcept;

  /// Ranges are bytes of the arena, multiples of a page.
  void set(std::size_t offset, std::size_t bytes) noexcept;
  void clear(std::size_t offset, std::size_t bytes) noexcept;
  /// Bytes of the pages there that have a mark.
  std::size_t marked(std::size_t offset, std::size_t bytes) const noexcept;
  /// Calls `each(offset, bytes)` for each run of pages with a mark.
  template <typename Each>
  void for_each_run(std::size_t offset, std::size_t bytes, const Each& each) const {
    const std::size_t end = (offset + bytes) / page;
    for (std::size_t at = next(offset / page, end, true); at < end;) {
      const std::size_t stop = next(at, end, false);
      each(at * page, (stop - at) * page);
      at = next(stop, end, true);
    }
  }

 private:
  using Word = std::atomic<std::uint64_t>;
  static constexpr std::size_t bits = 64;

  std::size_t next(std::size_t from, std::size_t end, bool is_marked) const noexcept;

  Word* words_ = nullptr;
  std::size_t bytes_ = 0;  // bytes of the words
};

}  // namespace tutti::heap
