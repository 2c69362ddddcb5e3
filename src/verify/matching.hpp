/// @file
/// Matching of sends and receives, and which rank knows that which others have entered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "verify/failure.hpp"

namespace tutti::proof {

/// The k-th send from rank s to rank d meets the k-th receive of d from s. Timing has no part in it, so the pairs
/// follow from the programs alone.
///
/// Cost: O(ranks + operations), in time and memory.
class Matching {
 public:
  /// Needs a schedule without malformed operations.
  explicit Matching(const Schedule& schedule);

  /// A message without its counterpart, or one whose send and receive differ in size.
  std::optional<ProofFailure> find_failure(const Schedule& schedule) const;

  /// The number within the peer's program of the operation that meets this one; `none` where nothing does.
  std::uint32_t counterpart(OpPosition place) const {
    return counterparts_[begins_[static_cast<std::size_t>(place.rank)] + place.op];
  }

  static constexpr std::uint32_t none = UINT32_MAX;

 private:
  std::uint32_t& counterpart(OpPosition place) {
    return counterparts_[begins_[static_cast<std::size_t>(place.rank)] + place.op];
  }

  std::vector<std::size_t> begins_;  // begin of each rank's operations in counterparts_
  std::vector<std::uint32_t> counterparts_;
};

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
