#include "transport/processes/shared_heap.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "base/check.hpp"
#include "base/units.hpp"
#include "transport/processes/reserve.hpp"

namespace tutti::runtime {
namespace {

constexpr std::size_t line = 64;

constexpr std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

std::string in_words(std::size_t bytes) { return text_of(Bytes{static_cast<std::int64_t>(bytes)}); }

}  // namespace

SharedHeap::SharedHeap(const Segment& segment, int rank) : segment_(segment), offset_(segment.heap_offset(rank)) {
  for (int index = 0; index < Extent::count; ++index) {
    const Extent extent = Extent::number(index);
    insert({extent.offset, extent.bytes});
  }
}

void SharedHeap::insert(Piece block) {
  free_.emplace(block);
  by_size_.emplace(block.second, block.first);
}

void SharedHeap::erase(Piece block) {
  free_.erase(block.first);
  by_size_.erase({block.second, block.first});
}

SharedHeap::Piece SharedHeap::take(std::size_t bytes, std::size_t alignment) {
  for (auto fit = by_size_.lower_bound({bytes, 0}); fit != by_size_.end(); ++fit) {
    const Piece whole{fit->second, fit->first};
    const std::size_t end = whole.first + whole.second;
    // In the heap and in memory alike: extents begin at multiples of the largest alignment.
    const std::size_t first = round_up(whole.first, alignment);
    if (first > end || end - first < bytes) continue;
    erase(whole);
    if (first > whole.first) insert({whole.first, first - whole.first});
    if (end > first + bytes) insert({first + bytes, end - first - bytes});
    return {first, bytes};
  }
  fail(ErrorCode::unsupported, "a rank's heap of {} has no room for {} beside the {} in use: free some",
       in_words(heap_size), in_words(bytes), in_words(used_bytes_));
}

std::byte* SharedHeap::allocate(std::size_t bytes, std::size_t alignment) {
  require(std::has_single_bit(alignment) && alignment <= Extent::least,
          "an alignment is a power of two up to {}, not {}", Extent::least, alignment);
  constexpr std::size_t most = Extent::number(Extent::count - 1).bytes;
  require(bytes <= most, "a rank allocates {} at a time at most, not {}: allocate less", in_words(most),
          in_words(bytes));
  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), line);
  const std::lock_guard lock(mutex_);
  const Piece block = take(rounded, std::max(alignment, line));
  try {
    std::byte* const memory = segment_.at(offset_ + block.first);
    segment_.reserve(memory, block.second);
    used_.emplace(block);
    used_bytes_ += block.second;
    return memory;
  } catch (...) {
    merge(block);
    throw;
  }
}

void SharedHeap::free(std::byte* address) {
  if (address == nullptr) return;
  const std::lock_guard lock(mutex_);
  // An address beyond the segment, or before the heap, has a difference that no block has.
  const auto found = used_.find(segment_.offset_of(address) - offset_);
  require(found != used_.end(), "the address {} is no memory in use of this rank's heap: free what allocate returned",
          fmt::ptr(address));
  const Piece block = *found;
  used_.erase(found);
  used_bytes_ -= block.second;
  if (block.second >= large) {
    give_back_pages(address, block.second);
  } else {
    std::memset(address, 0, block.second);
  }
  merge(block);
}

void SharedHeap::merge(Piece block) {
  const std::size_t end = block.first + block.second;
  if (const auto next = free_.find(end); next != free_.end() && !Extent::begins_at(end)) {
    const Piece after = *next;
    block.second += after.second;
    erase(after);
  }
  if (const auto next = free_.lower_bound(block.first); next != free_.begin() && !Extent::begins_at(block.first)) {
    const Piece before = *std::prev(next);
    if (before.first + before.second == block.first) {
      block = {before.first, before.second + block.second};
      erase(before);
    }
  }
  insert(block);
}

std::size_t SharedHeap::used() const {
  const std::lock_guard lock(mutex_);
  return used_bytes_;
}

}  // namespace tutti::runtime
