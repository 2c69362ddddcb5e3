#include "heap/arena/page_marks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace tutti::heap {
namespace {

constexpr std::memory_order relaxed = std::memory_order_relaxed;  // neighbours in a word belong to other threads

/// Bits `from` up to `to` of a word.
constexpr std::uint64_t bits_between(std::size_t from, std::size_t to) {
  const std::uint64_t below = to == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
  return below & ~((std::uint64_t{1} << from) - 1);
}

/// Calls `each(word, mask)` for each word that has bits of these pages.
template <typename Each>
void for_each_word(std::size_t offset, std::size_t bytes, const Each& each) {
  const std::size_t end = (offset + bytes) / page;
  for (std::size_t at = offset / page; at < end;) {
    const std::size_t stop = std::min(end, (at / 64 + 1) * 64);
    each(at / 64, bits_between(at % 64, (stop - 1) % 64 + 1));
    at = stop;
  }
}

}  // namespace

bool PageMarks::reserve(std::size_t bytes) noexcept {
  bytes_ = std::max(bytes / page / 8, page);
  void* const memory =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  words_ = memory == MAP_FAILED ? nullptr : static_cast<Word*>(memory);
  return words_ != nullptr;
}

void PageMarks::release() noexcept {
  if (words_ != nullptr) munmap(static_cast<void*>(words_), bytes_);
  words_ = nullptr;
}

void PageMarks::clear() noexcept { madvise(static_cast<void*>(words_), bytes_, MADV_DONTNEED); }

void PageMarks::set(std::size_t offset, std::size_t bytes) noexcept {
  for_each_word(offset, bytes, [&](std::size_t word, std::uint64_t mask) { words_[word].fetch_or(mask, relaxed); });
}

void PageMarks::clear(std::size_t offset, std::size_t bytes) noexcept {
  for_each_word(offset, bytes, [&](std::size_t word, std::uint64_t mask) {
    if ((words_[word].load(relaxed) & mask) != 0) words_[word].fetch_and(~mask, relaxed);
  });
}

std::size_t PageMarks::marked(std::size_t offset, std::size_t bytes) const noexcept {
  std::size_t pages = 0;
  for_each_word(offset, bytes, [&](std::size_t word, std::uint64_t mask) {
    pages += static_cast<std::size_t>(std::popcount(words_[word].load(relaxed) & mask));
  });
  return pages * page;
}

/// The first page from `from` on that has a mark, or has none; `end` where there is none such before.
std::size_t PageMarks::next(std::size_t from, std::size_t end, bool is_marked) const noexcept {
  while (from < end) {
    const std::uint64_t word = words_[from / bits].load(relaxed);
    const std::uint64_t wanted = (is_marked ? word : ~word) >> from % bits;
    if (wanted != 0) return std::min(end, from + static_cast<std::size_t>(std::countr_zero(wanted)));
    from = (from / bits + 1) * bits;
  }
  return end;
}

}  // namespace tutti::heap
