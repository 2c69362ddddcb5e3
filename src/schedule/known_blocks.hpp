/// @file
/// What a problem's blocks are, found once for all of its ranks.
#pragma once

#include <optional>

#include "schedule/problem.hpp"

namespace tutti {

/// While it lives, this thread asks for the blocks of one problem many times, as where all ranks are recorded one after
/// the other: its counts are summed, and its dual problem is made, once and not once a rank. The problem must neither
/// change meanwhile nor go.
class KnownBlocks {
 public:
  explicit KnownBlocks(const Problem& problem);
  ~KnownBlocks();
  KnownBlocks(const KnownBlocks&) = delete;
  KnownBlocks& operator=(const KnownBlocks&) = delete;

  /// The blocks that the problem's counts say, if the problem, itself and no copy, is known; null otherwise.
  static const Blocks* of(const Problem& problem);
  /// The dual of the problem, if that is known and has counts: kept once `make()` has made it; null otherwise. Its
  /// counts are the problem's, and its blocks are known, too.
  template <typename Make>
  static const Problem* dual_of(const Problem& problem, Make&& make) {
    KnownBlocks* const known = innermost();
    if (known == nullptr || &problem != known->problem_ || problem.counts.empty()) return nullptr;
    if (!known->dual_) known->dual_ = make();
    return &*known->dual_;
  }

 private:
  static KnownBlocks*& innermost();

  const Problem* problem_;
  std::optional<Problem> dual_;
  Blocks blocks_;
  KnownBlocks* around_;  // the one that it stands in for
};

}  // namespace tutti
