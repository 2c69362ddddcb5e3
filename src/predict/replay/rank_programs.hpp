/// @file
/// Programs of single ranks for pricing: recorded, or turned from that of a rank that does alike.
#pragma once

#include <optional>
#include <utility>

#include "base/shape.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/record/recording_context.hpp"
#include "schedule/rewrite/compiled_program.hpp"
#include "schedule/symmetry/rank_symmetry.hpp"

namespace tutti {

/// By turns of all ranks, or by going round along each dimension of a grid.
class PeerSymmetry {
 public:
  explicit PeerSymmetry(RankSymmetry turns) : turns_(std::move(turns)) {}
  explicit PeerSymmetry(Shape grid) : grid_(std::move(grid)) {}

  /// The peer that `rank` has where rank 0 has `peer`.
  int operator()(int rank, int peer) const {
    if (turns_) return (*turns_)(rank, peer);
    int reached = 0;
    for (int d = 0; d < grid_.dimensions(); ++d)
      reached += (grid_.coordinate(rank, d) + grid_.coordinate(peer, d)) % grid_.extent(d) * grid_.stride(d);
    return reached;
  }

 private:
  std::optional<RankSymmetry> turns_;
  Shape grid_;
};

/// Returns the turns by which the messages of all ranks are those of rank 0 (Algorithm::symmetry,
/// Algorithm::grid_symmetry); nothing if ranks differ.
std::optional<PeerSymmetry> turns_of(const Choice& choice, const Problem& problem);

/// Programs of the ranks by a choice. If all ranks are alike, step by step, one of them is recorded and stands for all.
/// Keeps references to what it is given, which must outlive it.
class RankPrograms {
 public:
  RankPrograms(RecordingContext& context, const Choice& choice, const Problem& problem, const Layout& layout);

  /// Compiles the rank's program for pricing: the order of messages within a step, and of operands within a fold, may
  /// be that of another rank.
  void compile(int rank, CompiledProgram& compiled);

 private:
  RecordingContext& context_;
  const Choice& choice_;
  const Problem& problem_;
  const Layout& layout_;
  ProblemScope scope_;
  std::optional<PeerSymmetry> turns_;  // turns between ranks, if they are alike
  bool has_first_ = false;
  Pooled<CompiledProgram> first_;  // rank 0's, where it stands for all
  Pooled<Program> program_;        // program that was recorded last
};

}  // namespace tutti
