/// @file
/// How long the link of a node is in use in a call.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "predict/level_costs.hpp"
#include "predict/peer_turns.hpp"
#include "predict/portrait.hpp"
#include "schedule/choice.hpp"
#include "schedule/spare.hpp"

namespace tutti {

/// The link of a rank's node, which is in use as long as what the node's ranks send to others takes, or what they
/// receive. Of many ranks 15 stand for all but the first, which may be the node's leader. Where there is one node,
/// there is no link, and it is never in use.
class NodeLink {
 public:
  /// Refers to all that it is given.
  NodeLink(const LevelCosts& costs, const Choice& choice, const Problem& problem, double element_size, int rank);

  /// Tells what a rank does, so that it need not be recorded. Other ranks than those that are looked at do not matter.
  void know(int rank, const AcrossNodes& bytes);
  /// Looks at the messages of the next rank of which nothing is known; false where there is none. They are recorded, or
  /// where all ranks are alike, those of rank 0 once for all.
  bool look_at_next();

  /// The messages of the rank that was given, where that was the first to be looked at; null elsewhere.
  const Outline* outline() const { return outline_ ? &*outline_ : nullptr; }

  /// How long the link is in use, in seconds, if ranks of which nothing is known do not use it: not more than what is
  /// found in the end, and that itself once all are known.
  double least() const;
  /// The same if they use it as the others do.
  double likely() const;
  /// No less than what is found in the end, if all messages of all ranks have so many bytes.
  double at_most(double bytes) const;

 private:
  /// Has the messages in `program_`: the rank's, or where all ranks are alike those of rank 0.
  void record(int rank);
  AcrossNodes bytes_across_of(int rank) const;
  double seconds_of(const AcrossNodes& bytes) const;
  int rank_at(std::size_t k) const;

  const LevelCosts& costs_;
  const Choice& choice_;
  const Problem& problem_;
  double element_size_;
  int rank_;
  std::span<const int> node_;
  std::vector<std::optional<AcrossNodes>> uses_;  // of the first rank, then of those that stand for the others
  std::optional<Outline> outline_;
  std::optional<PeerTurns> turns_;    // by which all ranks are alike
  Spare<Program> program_;            // of the rank that was recorded last
  std::vector<PeerTraffic> by_peer_;  // of rank 0, where it stands for all
};

}  // namespace tutti
