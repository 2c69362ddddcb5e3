#include "execute/piece_walk.hpp"

#include <algorithm>

namespace tutti::runtime {

PieceWalk::PieceWalk(std::span<const std::vector<MemoryRange>> lists, std::int64_t passed) : PieceWalk(lists) {
  for (std::size_t k = 0; k < lists.size(); ++k) {
    Position& place = places_[k];
    place.passed = passed;
    while (place.range < lists[k].size() && place.passed >= lists[k][place.range].bytes) {
      place.passed -= lists[k][place.range].bytes;
      ++place.range;
    }
  }
}

bool PieceWalk::next(std::vector<MemoryRange>& pieces, std::int64_t most) {
  std::int64_t n = most;
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    if (places_[k].range == lists_[k].size()) return false;
    const std::int64_t left = lists_[k][places_[k].range].bytes - places_[k].passed;
    n = std::min(n, left);
  }
  pieces.clear();
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    Position& place = places_[k];
    const MemoryRange& range = lists_[k][place.range];
    pieces.push_back(range.part(place.passed, n));
    place.passed += n;
    if (place.passed == range.bytes) place = {place.range + 1, 0};
  }
  return n > 0;
}

}  // namespace tutti::runtime
