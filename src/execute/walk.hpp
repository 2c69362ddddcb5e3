/// @file
/// Combining what lies at hand, and cutting lists of stretches into pieces that match.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "transport/transport.hpp"

namespace tutti::runtime {

/// Up to here a fold at hand is computed without asking the transport for help.
inline constexpr std::int64_t small_fold = 16 * 1024;

/// into = operands from left to right, `n` elements that lie in one piece each.
void combine(std::byte* into, std::span<const void* const> operands, std::int64_t n, const Combination& how);

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

/// While it lives, no peer takes back memory that is read in place. False where the communicator has failed.
class Reading {
 public:
  Reading(Transport& transport, bool needed)
      : transport_(needed && transport.begin_reading() ? &transport : nullptr), holds_(!needed || transport_) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() {
    if (transport_ != nullptr) transport_->end_reading();
  }

  explicit operator bool() const { return holds_; }

 private:
  Transport* transport_;
  bool holds_;
};

}  // namespace tutti::runtime
