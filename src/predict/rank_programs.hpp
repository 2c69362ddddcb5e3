/// @file
/// The programs of single ranks, as prices look at them.
#pragma once

#include <optional>

#include "predict/peer_turns.hpp"
#include "schedule/choice.hpp"
#include "schedule/compiled_program.hpp"
#include "schedule/known_blocks.hpp"
#include "schedule/spare.hpp"

namespace tutti {

/// What the ranks do by a choice. Where all ranks are alike, step by step, one of them is recorded and stands for
/// all. The choice, the problem and the layout must outlive it.
class RankPrograms {
 public:
  RankPrograms(const Choice& choice, const Problem& problem, const Layout& layout);

  /// Compiles the rank's program for pricing: the order of messages within a step, and of operands within a fold, may
  /// be that of another rank.
  void compile(int rank, CompiledProgram& compiled);

 private:
  const Choice& choice_;
  const Problem& problem_;
  const Layout& layout_;
  KnownBlocks known_;
  std::optional<PeerTurns> turns_;  // where ranks are alike
  bool has_first_ = false;
  Spare<CompiledProgram> first_;  // rank 0's, where it stands for all
  Spare<Program> program_;        // that was recorded last
};

}  // namespace tutti
