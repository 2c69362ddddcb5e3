/// @file
/// Who knows that whom has entered: the causality that a barrier is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::proof {

/// For every rank the set of ranks that it knows to have entered. A message carries what its sender knew when the
/// sender began the step; the receiver knows it when its own step ends. That a rendezvous send completes would tell the
/// sender something as well; a barrier that relies on it would break on a transport with buffers, so it does not count.
///
/// Cost: p² bits twice, p / 64 words a message; nothing when made for no ranks.
class Arrivals {
 public:
  explicit Arrivals(int ranks);

  /// A message from `source` to `destination`.
  void pass(int source, int destination);
  /// The rank's step ends.
  void end_step(int rank);
  /// The first rank that `rank` does not know to have entered; -1 where it knows all.
  int first_missing(int rank) const;

 private:
  std::size_t row(int rank) const { return static_cast<std::size_t>(rank) * words_; }

  int ranks_;
  std::size_t words_;
  std::vector<std::uint64_t> known_;
  std::vector<std::uint64_t> arriving_;  // known at the end of the step
};

}  // namespace tutti::proof
