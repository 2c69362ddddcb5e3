#include "transport/processes/known_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace tutti::runtime {
namespace {

/// The marks of one word that stand for windows [first, end).
std::uint64_t mask_of(std::size_t word, std::size_t first, std::size_t end) {
  constexpr std::size_t bits = 64;
  const std::size_t low = std::max(first, word * bits) - word * bits;
  const std::size_t high = std::min(end, (word + 1) * bits) - word * bits;
  const std::uint64_t below_high = high == bits ? ~std::uint64_t{0} : (std::uint64_t{1} << high) - 1;
  return below_high & ~((std::uint64_t{1} << low) - 1);
}

}  // namespace

KnownPages::KnownPages(std::size_t bytes)
    : bytes_(bytes),
      read_(std::make_unique<std::atomic<std::uint64_t>[]>(bytes / window / bits + 1)),
      written_(std::make_unique<std::atomic<std::uint64_t>[]>(bytes / window / bits + 1)) {}

bool KnownPages::has_all(const Marks& marks, std::size_t first, std::size_t end) {
  for (std::size_t word = first / bits; word * bits < end; ++word) {
    const std::uint64_t mask = mask_of(word, first, end);
    // Relaxed, here and where marks are set: whoever misses one asks once more.
    if ((marks[word].load(std::memory_order_relaxed) & mask) != mask) return false;
  }
  return true;
}

void KnownPages::expect(std::byte* begin, std::size_t at, std::size_t bytes, Use use) {
  if (bytes < window || at + bytes > bytes_) return;
  // What has a mark is known as a whole.
  const std::size_t first = (at + window - 1) / window;
  const std::size_t end = (at + bytes) / window;
  Marks& marks = marks_of(use);
  if (has_all(marks, first, end)) [[likely]]
    return;
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::byte* const from = begin + at / page * page;
  const std::size_t length = at % page + bytes;
  // Nothing depends on whether the system does it. Reading first: it finds sixteen pages a step, and where the mapping
  // may be written they can be; then only those remain that were found while it could only be read.
  madvise(from, length, MADV_POPULATE_READ);
  if (use == Use::write) madvise(from, length, MADV_POPULATE_WRITE);
  for (std::size_t word = first / bits; word * bits < end; ++word)
    marks[word].fetch_or(mask_of(word, first, end), std::memory_order_relaxed);
}

}  // namespace tutti::runtime
