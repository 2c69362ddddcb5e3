#include "heap/space.hpp"

#include <algorithm>
#include <iterator>

#include "heap/pages.hpp"

namespace tutti::heap {
Space::Space(int extents, std::pmr::memory_resource* nodes) : free_(nodes), by_size_(nodes), used_(nodes) {
  for (int index = 0; index < extents; ++index) {
    const Extent extent = Extent::number(index);
    insert({extent.offset, extent.bytes});
  }
}

void Space::insert(Piece piece) {
  free_.emplace(piece);
  by_size_.emplace(piece.second, piece.first);
}

void Space::erase(Piece piece) {
  free_.erase(piece.first);
  by_size_.erase({piece.second, piece.first});
}

std::optional<std::size_t> Space::take(std::size_t bytes, std::size_t alignment, std::size_t room) {
  if (room > bytes) {
    if (const auto roomy = take_of(room, bytes, alignment)) return roomy;
  }
  return take_of(bytes, bytes, alignment);
}

/// Takes the bytes from a piece of at least `least` bytes.
std::optional<std::size_t> Space::take_of(std::size_t least, std::size_t bytes, std::size_t alignment) {
  for (auto fit = by_size_.lower_bound({least, 0}); fit != by_size_.end(); ++fit) {
    const Piece whole{fit->second, fit->first};
    const std::size_t end = whole.first + whole.second;
    // In the heap and in memory alike: extents begin at multiples of the largest alignment.
    const std::size_t first = round_up(whole.first, alignment);
    if (first > end || end - first < bytes) continue;
    erase(whole);
    if (first > whole.first) insert({whole.first, first - whole.first});
    if (end > first + bytes) insert({first + bytes, end - first - bytes});
    used_.emplace(first, bytes);
    used_bytes_ += bytes;
    return first;
  }
  return std::nullopt;
}

std::size_t Space::bytes_at(std::size_t offset) const {
  const auto found = used_.find(offset);
  return found == used_.end() ? 0 : found->second;
}

std::size_t Space::bytes_from(std::size_t offset) const {
  const auto after = used_.upper_bound(offset);
  if (after == used_.begin()) return 0;
  const Piece block = *std::prev(after);
  return block.second - std::min(block.second, offset - block.first);
}

void Space::give_back(std::size_t offset) {
  const auto found = used_.find(offset);
  const Piece block = *found;
  used_.erase(found);
  used_bytes_ -= block.second;
  merge(block);
}

bool Space::resize(std::size_t offset, std::size_t bytes) {
  const auto block = used_.find(offset);
  const std::size_t before = block->second;
  const std::size_t end = offset + before;
  if (bytes > before) {
    const auto next = free_.find(end);
    if (next == free_.end() || Extent::begins_at(end) || next->second < bytes - before) return false;
    const Piece after = *next;
    erase(after);
    if (before + after.second > bytes) insert({offset + bytes, before + after.second - bytes});
  } else if (bytes < before) {
    merge({offset + bytes, before - bytes});
  }
  block->second = bytes;
  used_bytes_ += bytes - before;
  return true;
}

void Space::merge(Piece piece) {
  const std::size_t end = piece.first + piece.second;
  if (const auto next = free_.find(end); next != free_.end() && !Extent::begins_at(end)) {
    const Piece after = *next;
    piece.second += after.second;
    erase(after);
  }
  if (const auto next = free_.lower_bound(piece.first); next != free_.begin() && !Extent::begins_at(piece.first)) {
    const Piece before = *std::prev(next);
    if (before.first + before.second == piece.first) {
      piece = {before.first, before.second + piece.second};
      erase(before);
    }
  }
  insert(piece);
}

}  // namespace tutti::heap
