#include "verify/memory.hpp"

#include <algorithm>

namespace tutti::proof {

std::optional<Slice> Memory::read(std::span<const Slice> slices, std::vector<Piece>& pieces) const {
  std::optional<Slice> unwritten;
  for (const Slice& slice : slices) {
    visit(slice, [&](std::int64_t first, std::int64_t count, const Value* value) {
      if (value != nullptr) {
        pieces.push_back({count, *value});
      } else if (!unwritten) {
        unwritten = Slice{slice.buffer, first, count};
      }
    });
    if (unwritten) break;
  }
  return unwritten;
}

void Memory::write(std::span<const Slice> slices, std::span<const Piece> pieces) {
  std::size_t at = 0;
  std::int64_t used = 0;  // elements of pieces[at] that are written already
  for (const Slice& slice : slices) {
    std::int64_t first = slice.first;
    while (first < slice.end()) {
      const Piece& piece = pieces[at];
      const std::int64_t count = std::min(slice.end() - first, piece.count - used);
      assign({slice.buffer, first, count}, piece.value.after(used));
      first += count;
      used += count;
      if (used == piece.count) {
        ++at;
        used = 0;
      }
    }
  }
}

}  // namespace tutti::proof
