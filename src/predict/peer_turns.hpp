/// @file
/// How the peers of rank 0 become those of any rank, where all ranks are alike.
#pragma once

#include <optional>
#include <utility>

#include "base/shape.hpp"
#include "schedule/choice.hpp"
#include "schedule/turns.hpp"

namespace tutti {

/// By turns of all ranks, or by going round along each dimension of a grid.
class PeerTurns {
 public:
  explicit PeerTurns(Turns turns) : turns_(std::move(turns)) {}
  explicit PeerTurns(Shape grid) : grid_(std::move(grid)) {}

  /// The peer that `rank` has where rank 0 has `peer`.
  int operator()(int rank, int peer) const {
    if (turns_) return (*turns_)(rank, peer);
    int reached = 0;
    for (int d = 0; d < grid_.dimensions(); ++d)
      reached += (grid_.coordinate(rank, d) + grid_.coordinate(peer, d)) % grid_.extent(d) * grid_.stride(d);
    return reached;
  }

 private:
  std::optional<Turns> turns_;
  Shape grid_;
};

/// Those by which the messages of all ranks are those of rank 0 (Algorithm::alike, Algorithm::alike_on); nothing where
/// ranks differ.
std::optional<PeerTurns> turns_of(const Choice& choice, const Problem& problem);

}  // namespace tutti
