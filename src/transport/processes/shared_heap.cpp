#include "transport/processes/shared_heap.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <optional>

#include "base/check.hpp"
#include "base/units.hpp"
#include "heap/pages.hpp"
#include "transport/processes/segment_file.hpp"

namespace tutti::runtime {
namespace {

using heap::round_up;

constexpr std::size_t line = 64;

std::string in_words(std::size_t bytes) { return text_of(Bytes{static_cast<std::int64_t>(bytes)}); }

}  // namespace

SharedHeap::SharedHeap(const Segment& segment, int rank)
    : segment_(segment), offset_(segment.heap_offset(rank)), space_(extent_count) {}

std::byte* SharedHeap::allocate(std::size_t bytes, std::size_t alignment) {
  require(std::has_single_bit(alignment) && alignment <= Extent::least,
          "an alignment is a power of two up to {}, not {}", Extent::least, alignment);
  constexpr std::size_t most = Extent::number(extent_count - 1).bytes;
  if (bytes > most) {
    fail(ErrorCode::unsupported, "a rank allocates {} at a time at most, not {}: allocate less", in_words(most),
         in_words(bytes));
  }
  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), line);
  const std::lock_guard lock(mutex_);
  const std::optional<std::size_t> block = space_.take(rounded, std::max(alignment, line));
  if (!block) {
    fail(ErrorCode::unsupported, "a rank's heap of {} has no room for {} beside the {} in use: free some",
         in_words(heap_size), in_words(rounded), in_words(space_.used()));
  }
  try {
    std::byte* const memory = segment_.at(offset_ + *block);
    segment_.reserve(memory, rounded);
    return memory;
  } catch (...) {
    space_.give_back(*block);
    throw;
  }
}

void SharedHeap::free(std::byte* address) {
  if (address == nullptr) return;
  const std::lock_guard lock(mutex_);
  // An address beyond the segment, or before the heap, has a difference that no block has.
  const std::size_t block = segment_.offset_of(address) - offset_;
  const std::size_t bytes = space_.bytes_at(block);
  require(bytes != 0, "the address {} is no memory in use of this rank's heap: free what allocate returned",
          fmt::ptr(address));
  if (bytes >= large) {
    give_back_pages(address, bytes);
  } else {
    std::memset(address, 0, bytes);
    note_idle(block, bytes);
  }
  space_.give_back(block);
  if (idle_bytes_ > most_idle) drop_idle();
}

/// Adds the pages of a block to the idle ones.
void SharedHeap::note_idle(std::size_t block, std::size_t bytes) {
  std::size_t begin = block / heap::page * heap::page;
  std::size_t end = round_up(block + bytes, heap::page);
  auto next = idle_.upper_bound(begin);
  if (next != idle_.begin() && std::prev(next)->second >= begin) --next;
  while (next != idle_.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    idle_bytes_ -= next->second - next->first;
    next = idle_.erase(next);
  }
  idle_.emplace_hint(next, begin, end);
  idle_bytes_ += end - begin;
}

/// Gives the idle pages back, but for those with a block in use, which come here again when that is freed.
void SharedHeap::drop_idle() {
  const heap::Space::Blocks& free = space_.free_pieces();
  for (const auto& [first, last] : idle_) {
    auto piece = free.upper_bound(first);
    if (piece != free.begin()) --piece;
    for (; piece != free.end() && piece->first < last; ++piece) {
      const std::size_t begin = std::max(piece->first, first);
      const std::size_t end = std::min(piece->first + piece->second, last);
      if (begin < end) drop_pages(segment_.at(offset_ + begin), end - begin);
    }
  }
  idle_.clear();
  idle_bytes_ = 0;
}

std::size_t SharedHeap::used() const {
  const std::lock_guard lock(mutex_);
  return space_.used();
}

}  // namespace tutti::runtime
