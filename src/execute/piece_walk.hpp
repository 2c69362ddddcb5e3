/// @file
/// Piece walk: goes through several lists of ranges together, which are cut in different ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "transport/interfaces/message.hpp"

namespace tutti::runtime {

/// Goes through several lists of ranges of the same length, however they are cut, piece by piece: the largest pieces
/// that lie in one range of every list.
class PieceWalk {
 public:
  explicit PieceWalk(std::span<const std::vector<MemoryRange>> lists) : lists_(lists), places_(lists.size()) {}
  /// Begins after the first `passed` bytes of each list, which are not looked at.
  PieceWalk(std::span<const std::vector<MemoryRange>> lists, std::int64_t passed);

  /// The next piece of each list, of at most so many bytes; false at the end.
  bool next(std::vector<MemoryRange>& pieces, std::int64_t most = std::numeric_limits<std::int64_t>::max());

 private:
  struct Position {
    std::size_t range = 0;
    std::int64_t passed = 0;
  };

  std::span<const std::vector<MemoryRange>> lists_;
  std::vector<Position> places_;
};

}  // namespace tutti::runtime
