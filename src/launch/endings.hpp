/// @file
/// How the ranks of a run have ended, told in few lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/rank_lists.hpp"

namespace tutti::launch {

/// The ranks that ended badly after the first one that did. A run of hundreds of ranks ends with hundreds of errors,
/// nearly all of them alike: each is told once, with its ranks.
class Endings {
 public:
  /// The most sentences that are told.
  static constexpr std::size_t most_lines = 8;

  /// A rank ended; `how` continues "rank 2 ": "ended: rank 1 failed: …", "exited with status 3", "was killed by …".
  void add(int rank, const std::string& how) { groups_.add(rank, how); }
  /// One sentence for all ranks with the same `how`, those of most ranks first. What is too much is counted in the
  /// last.
  std::vector<std::string> lines() const;

 private:
  RankGroups groups_;
};

}  // namespace tutti::launch
