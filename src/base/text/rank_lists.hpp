/// @file
/// Many ranks in few words.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tutti {

/// "rank 3", "ranks 0, 1, 3", "ranks 0-6, 9" of ranks in ascending order; long lists are cut off.
std::string list_of(std::span<const int> ranks);

/// Ranks of which the same is to be told, in ascending order, and what that is.
using RankGroup = std::pair<std::vector<int>, std::string>;

/// Collects what is to be told of ranks, so that each sentence is told once.
class RankGroups {
 public:
  void add(int rank, const std::string& text) { ranks_[text].push_back(rank); }
  /// The largest groups first, and of equal ones that with the first rank.
  std::vector<RankGroup> largest_first() const;
  /// "rank 2 called bcast; ranks 0, 1 called reduce": who says otherwise than most comes first.
  std::string odd_first() const;
  /// Returns odd_first(); empty if all say the same.
  std::string difference() const { return ranks_.size() > 1 ? odd_first() : std::string(); }

 private:
  std::map<std::string, std::vector<int>> ranks_;
};

}  // namespace tutti
