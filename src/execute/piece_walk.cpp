#include "execute/piece_walk.hpp"

#include <algorithm>

namespace tutti::runtime {

PieceWalk::PieceWalk(std::span<const std::vector<Stretch>> lists, std::int64_t passed) : PieceWalk(lists) {
  for (std::size_t k = 0; k < lists.size(); ++k) {
    Place& place = places_[k];
    place.passed = passed;
    while (place.stretch < lists[k].size() && place.passed >= lists[k][place.stretch].bytes) {
      place.passed -= lists[k][place.stretch].bytes;
      ++place.stretch;
    }
  }
}

bool PieceWalk::next(std::vector<Stretch>& pieces, std::int64_t most) {
  std::int64_t n = most;
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    if (places_[k].stretch == lists_[k].size()) return false;
    const std::int64_t left = lists_[k][places_[k].stretch].bytes - places_[k].passed;
    n = std::min(n, left);
  }
  pieces.clear();
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    Place& place = places_[k];
    const Stretch& stretch = lists_[k][place.stretch];
    pieces.push_back(stretch.part(place.passed, n));
    place.passed += n;
    if (place.passed == stretch.bytes) place = {place.stretch + 1, 0};
  }
  return n > 0;
}

}  // namespace tutti::runtime
