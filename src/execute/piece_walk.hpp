/// @file
/// Several lists of stretches, cut in different ways, gone through together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "transport/message.hpp"

namespace tutti::runtime {

/// Goes through several lists of stretches of the same length, however they are cut, piece by piece: the largest pieces
/// that lie in one stretch of every list.
class PieceWalk {
 public:
  explicit PieceWalk(std::span<const std::vector<Stretch>> lists) : lists_(lists), places_(lists.size()) {}
  /// Begins after the first `passed` bytes of each list, which are not looked at.
  PieceWalk(std::span<const std::vector<Stretch>> lists, std::int64_t passed);

  /// The next piece of each list, of at most so many bytes; false at the end.
  bool next(std::vector<Stretch>& pieces, std::int64_t most = std::numeric_limits<std::int64_t>::max());

 private:
  struct Place {
    std::size_t stretch = 0;
    std::int64_t passed = 0;
  };

  std::span<const std::vector<Stretch>> lists_;
  std::vector<Place> places_;
};

}  // namespace tutti::runtime
